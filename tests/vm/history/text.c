// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Steps as words: see text.h. */
#include <stdio.h>
#include <string.h>

#include "text.h"

static const char *const objects[] = { "pd", "mr0", "mr1" };

/*
 * How each kind is written: p process, f file, t the other file, q the other
 * process, o object, ' the mark of the exported alias.
 */
static const struct {
	const char *word, *form;
} kinds[KINDS] = {
	[OPEN] = { "open", "p f" },
	[CLOSE] = { "close", "p f" },
	[SEND] = { "send", "p f q" },
	[DROP] = { "drop", "p f" },
	[MAKE] = { "make", "p f o" },
	[EXPORT] = { "export", "p f t o" },
	[IMPORT] = { "import", "p f t' o" },
	[CREATE] = { "create", "p f" },
	[CREATE_QUEUE] = { "queue", "p f" },
	[DESTROY] = { "destroy", "p f" },
	[FREE] = { "free", "p f o" },
	[WITHDRAW] = { "withdraw", "p f' o" },
	[EXIT] = { "exit", "p" },
	[KILL] = { "kill", "p" },
	[EXEC] = { "exec", "p" },
};

void text_of_step(const struct step *step, char text[TEXT_STEP])
{
	const char *form = kinds[step->kind].form;
	int n = snprintf(text, TEXT_STEP, "%s ", kinds[step->kind].word);

	for (; *form; form++) {
		char *end = text + n;
		size_t room = TEXT_STEP - n;

		switch (*form) {
		case 'p':
			n += snprintf(end, room, "%d", step->process);
			break;
		case 'q':
			n += snprintf(end, room, "%d", step->to);
			break;
		case 'f':
			n += snprintf(end, room, "%c", 'A' + step->file);
			break;
		case 't':
			n += snprintf(end, room, "%c", 'A' + step->to);
			break;
		case 'o':
			n += snprintf(end, room, "%s", objects[step->object]);
			break;
		case '\'':
			n += snprintf(end, room, "%s",
				      step->exported ? "'" : "");
			break;
		default:
			n += snprintf(end, room, "%c", *form);
		}
	}
}

static const char *number(const char *text, char first, int count, int *value)
{
	*value = *text - first;
	return *value >= 0 && *value < count ? text + 1 : NULL;
}

static const char *word(const char *text, const char *const *words, int count,
			int *value)
{
	for (*value = 0; *value < count; ++*value) {
		size_t len = strlen(words[*value]);

		if (!strncmp(text, words[*value], len) &&
		    (text[len] == ' ' || text[len] == ';' || !text[len]))
			return text + len;
	}
	return NULL;
}

/* Behind the step, or NULL */
static const char *read_step(const char *text, struct step *step)
{
	const char *words[KINDS], *form;
	int value;

	memset(step, 0, sizeof(*step));
	for (int k = 0; k < KINDS; k++)
		words[k] = kinds[k].word;
	text = word(text, words, KINDS, &value);
	if (!text)
		return NULL;
	step->kind = value;
	for (form = kinds[step->kind].form; text && *form; form++) {
		if (*form == '\'') {
			step->exported = *text == '\'';
			text += step->exported;
			continue;
		}
		if (*form == ' ')
			continue;
		text += strspn(text, " ");
		switch (*form) {
		case 'p':
			text = number(text, '0', PROCESSES, &step->process);
			break;
		case 'q':
			text = number(text, '0', PROCESSES, &step->to);
			break;
		case 'f':
			text = number(text, 'A', FILES, &step->file);
			break;
		case 't':
			text = number(text, 'A', FILES, &step->to);
			break;
		case 'o':
			text = word(text, objects, OBJECTS, &value);
			step->object = value;
			break;
		}
	}
	return text;
}

const char *text_to_steps(const char *text, struct step *steps, int room,
			  int *count)
{
	*count = 0;
	for (;;) {
		const char *start = text + strspn(text, " ;\n");

		if (!*start)
			return NULL;
		if (*count == room)
			return "too many steps";
		text = read_step(start, &steps[*count]);
		if (!text)
			return start;
		text += strspn(text, " \n");
		if (*text && *text != ';')
			return start;
		++*count;
	}
}
