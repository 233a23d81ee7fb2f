// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_doctor's report of made-up findings: doctor_formats json|table WORD...
 * Each word is a finding: the device, the text and the fix of a problem.
 */
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"

int main(int argc, char **argv)
{
	struct doctor_report report = { 0 };

	if (argc < 2)
		return 2;
	doctor_add(&report, NULL, "kernel", DOCTOR_OK, "%s", "fine");
	doctor_add(&report, NULL, "fork", DOCTOR_NOTE, "a %s", "note");
	for (int i = 2; i < argc; i++) {
		doctor_add(&report, argv[i], "port", DOCTOR_PROBLEM, "%s",
			   argv[i]);
		doctor_fix(&report, "a first fix, to be replaced");
		doctor_fix(&report, "%s", argv[i]);
	}
	if (!strcmp(argv[1], "json"))
		doctor_print_json(stdout, &report);
	else
		doctor_print_table(stdout, &report);
	doctor_free(&report);
	return 0;
}
