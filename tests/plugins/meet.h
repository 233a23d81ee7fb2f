/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The moment in which an import, or the opening of a context, is in a plug-in's
 * hands is short.  While this is on, a thread that comes to the library's command functions from a plug-in
 * waits there for another one, so that two always are in that moment together.
 */
#ifndef PLUGINS_MEET_H
#define PLUGINS_MEET_H

#include <stdbool.h>

void meet_inside_commands(bool on);

#endif
