/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Tests on the model: after each nothing may be left of it. */
#ifndef MODEL_TEST_H
#define MODEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check.h"
#include "model_kernel.h"
#include "model_provider.h"

static inline int model_teardown(void **state)
{
	(void)state;
	CHECK_INT(mp_objects(), 0);
	model_reset();
	return 0;
}

/* A test is a function without arguments. */
#define MODEL_TEST(_name)               \
	static void _name##_body(void); \
	static void _name(void **state) \
	{                               \
		(void)state;            \
		_name##_body();         \
	}                               \
	static void _name##_body(void)

#define model_unit(_name) cmocka_unit_test_teardown(_name, model_teardown)

#endif
