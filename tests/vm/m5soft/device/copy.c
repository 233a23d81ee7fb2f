// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Lists of pieces of memory, as work requests name them, and copying from one
 * list to another.
 */
#include "m5soft.h"

void m5_pieces_init(struct m5_pieces *pieces)
{
	pieces->count = 0;
	pieces->length = 0;
}

static bool add(struct m5_pieces *to, struct m5_piece piece)
{
	if (to->count == ARRAY_SIZE(to->piece))
		return false;
	to->piece[to->count++] = piece;
	to->length += piece.length;
	return true;
}

bool m5_add_memory(struct m5_pieces *to, struct m5_mr *mr, u64 addr, u32 length)
{
	return add(to, (struct m5_piece){
			       .mr = mr, .addr = addr, .length = length });
}

bool m5_add_kernel(struct m5_pieces *to, void *kernel, u32 length)
{
	return add(to, (struct m5_piece){ .kernel = kernel, .length = length });
}

bool m5_add_segments(struct m5_device *dev, struct m5_pieces *to, u8 *at,
		     u8 *end, u32 pdn, int access)
{
	while (end - at >= sizeof(__be32)) {
		struct m5_data *data = (struct m5_data *)at;
		u32 length = be32_to_cpu(data->length), lkey;
		struct m5_mr *mr;
		u64 addr;

		if (length & M5_INLINE) {
			u32 used;

			length &= ~M5_INLINE;
			if (length > end - at - sizeof(__be32))
				return false;
			if (!m5_add_kernel(to, at + sizeof(__be32), length))
				return false;
			used = ALIGN(length + sizeof(__be32), M5_SEGMENT);
			if (used > end - at)
				break;
			at += used;
			continue;
		}
		if (end - at < sizeof(*data))
			break;
		at += sizeof(*data);
		lkey = be32_to_cpu(data->lkey);
		if (!length) {
			if (lkey == M5_LKEY_END)
				break;
			continue;
		}
		addr = be64_to_cpu(data->addr);
		mr = m5_mr_find(dev, lkey, pdn, addr, length, access);
		if (!mr || !m5_add_memory(to, mr, addr, length))
			return false;
	}
	return true;
}

/* Where the piece is from `offset` on; *length is cut to what is there. */
static void *pointer(struct m5_piece *piece, u32 offset, u32 *length)
{
	*length = min(*length, piece->length - offset);
	if (!piece->mr)
		return piece->kernel + offset;
	return m5_mr_pointer(piece->mr, piece->addr + offset, length);
}

void m5_copy(struct m5_pieces *to, u64 skip, struct m5_pieces *from, u64 length)
{
	u32 t = 0, f = 0, to_offset, from_offset = 0;

	while (t < to->count && skip >= to->piece[t].length)
		skip -= to->piece[t++].length;
	to_offset = skip;
	while (length && t < to->count && f < from->count) {
		u32 n = min_t(u64, length, PAGE_SIZE);
		void *dst = pointer(&to->piece[t], to_offset, &n);
		void *src = pointer(&from->piece[f], from_offset, &n);

		/* Both may be the same memory. */
		memmove(dst, src, n);
		length -= n;
		to_offset += n;
		from_offset += n;
		if (to_offset == to->piece[t].length) {
			t++;
			to_offset = 0;
		}
		if (from_offset == from->piece[f].length) {
			f++;
			from_offset = 0;
		}
	}
}
