/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Where histories begin that are to get further than from nothing: the usual
 * ways of sharing.
 */
#ifndef STARTS_H
#define STARTS_H

static const char *const starts[] = {
	"",
	/* An owner that shares through an export context */
	"open 0 A; make 0 A pd; make 0 A mr0; open 0 B; export 0 A B pd; "
	"export 0 A B mr0; send 0 B 1; open 1 C",
	/* One that hands out its only file, and somebody who has imported */
	"open 0 A; make 0 A pd; make 0 A mr0; send 0 A 1; open 1 B; "
	"import 1 B A pd; import 1 B A mr0; drop 1 A",
	/* An MR without its PD, whose file has nothing else that is shared */
	"open 0 A; make 0 A pd; make 0 A mr0; send 0 A 1; open 1 B; "
	"import 1 B A mr0; drop 1 A",
	/* Three processes that have it all, each from the one before */
	"open 0 A; make 0 A pd; make 0 A mr0; send 0 A 1; open 1 B; "
	"import 1 B A pd; import 1 B A mr0; send 1 B 2; open 2 C; "
	"import 2 C B pd; import 2 C B mr0; queue 2 C",
	/* A file whose context is gone, with the MRs of two others on its PD */
	"open 0 A; make 0 A pd; make 0 A mr0; send 0 A 1; open 1 B; "
	"import 1 B A pd; make 1 B mr1; send 1 B 2; close 0 A; open 2 C; "
	"import 2 C B mr1; create 1 B",
};

#define STARTS (sizeof(starts) / sizeof(starts[0]))

#endif
