// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * GIDs and P_Keys, from commands and from sysfs, and the way back to the sender
 * of a datagram.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model_test.h"
#include "priv.h"

static struct ibv_context *context;
static struct mp_context *mp;
/* The device's directory in what the library takes for sysfs */
static char dir[] = "/tmp/gid_test.XXXXXX";

static int begin(void **state)
{
	struct mp_options options = { .ibdev_path = dir };

	(void)state;
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	CHECK(mkdtemp(dir));
	context = mp_open(&options);
	mp = mp_get(context);
	mp->port.link_layer = IBV_LINK_LAYER_ETHERNET;
	return 0;
}

static int end(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	CHECK_INT(system(command), 0);
	mp_close(context);
	return model_teardown(state);
}

/* ports/1/<group>/<index>, its directories included */
static void put_file(const char *group, int index, const char *text)
{
	char path[128], *slash;
	FILE *file;

	snprintf(path, sizeof(path), "%s/ports/1/%s/%d", dir, group, index);
	for (slash = path + strlen(dir); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	CHECK(file);
	fputs(text, file);
	fclose(file);
}

static union ibv_gid gid(const char *text)
{
	union ibv_gid gid;

	CHECK_INT(inet_pton(AF_INET6, text, &gid), 1);
	return gid;
}

static bool same(const union ibv_gid *a, const char *text)
{
	union ibv_gid b = gid(text);

	return !memcmp(a, &b, sizeof(b));
}

static void add(const char *text, enum ibv_gid_type type)
{
	struct ibv_gid_entry *entry = &model_gids[model_num_gids];

	memset(entry, 0, sizeof(*entry));
	entry->gid = gid(text);
	entry->gid_index = model_num_gids++;
	entry->port_num = 1;
	entry->gid_type = type;
	entry->ndev_ifindex = 4;
}

/* A struct whose bytes show whether it was written */
static struct ibv_gid_entry untouched_entry(void)
{
	struct ibv_gid_entry entry;

	memset(&entry, 0xa5, sizeof(entry));
	return entry;
}

static void check_untouched(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		CHECK_INT(((const unsigned char *)bytes)[i], 0xa5);
}

static void check_no_gid(int port, int index, int err)
{
	struct ibv_gid_entry entry = untouched_entry();

	errno = 0;
	CHECK_INT(ibv_query_gid(context, port, index, &entry.gid), -1);
	CHECK_INT(errno, err);
	CHECK_INT(ibv_query_gid_ex(context, port, index, &entry, 0), err);
	check_untouched(&entry, sizeof(entry));
}

/* ---- by command ---- */

static void fill_table(void)
{
	add("fe80::1", IBV_GID_TYPE_ROCE_V1);
	add("fe80::1", IBV_GID_TYPE_ROCE_V2);
	add("::", IBV_GID_TYPE_IB);
	add("::ffff:10.0.0.1", IBV_GID_TYPE_ROCE_V2);
	add("fe80::7", IBV_GID_TYPE_IB);
}

MODEL_TEST(by_command)
{
	struct ibv_gid_entry entry = untouched_entry(), table[8];
	enum ibv_gid_type_sysfs type;

	fill_table();
	model_count_from_here();
	CHECK_INT(ibv_query_gid(context, 1, 3, &entry.gid), 0);
	CHECK_INT(model_calls(), 1);
	CHECK(same(&entry.gid, "::ffff:10.0.0.1"));
	CHECK_INT(ibv_query_gid_ex(context, 1, 3, &entry, 0), 0);
	CHECK(!memcmp(&entry, &model_gids[3], sizeof(entry)));
	CHECK_INT(model_calls(), 2);

	CHECK_INT(ibv_query_gid(context, 1, 2, &entry.gid), 0);
	CHECK(same(&entry.gid, "::"));
	CHECK_INT(ibv_query_gid_ex(context, 1, 2, &entry, 0), ENODATA);

	CHECK_INT(ibv_query_gid_type(context, 1, 1, &type), 0);
	CHECK_INT(type, IBV_GID_TYPE_SYSFS_ROCE_V2);
	CHECK_INT(ibv_query_gid_type(context, 1, 0, &type), 0);
	CHECK_INT(type, IBV_GID_TYPE_SYSFS_IB_ROCE_V1);
	type = IBV_GID_TYPE_SYSFS_ROCE_V2;
	CHECK_INT(ibv_query_gid_type(context, 1, 2, &type), 0);
	CHECK_INT(type, IBV_GID_TYPE_SYSFS_IB_ROCE_V1);

	CHECK_INT(ibv_query_gid_table(context, table, 8, 0), 4);
	CHECK_INT(table[2].gid_index, 3);
	CHECK_INT(ibv_query_gid_table(context, table, 4, 0), 4);
	CHECK_INT(ibv_query_gid_table(context, table, 3, 0), -EINVAL);
	CHECK_INT(ibv_query_gid_table(context, table, 8, 1), -EINVAL);
}

MODEL_TEST(by_command_fails)
{
	const struct model_command entry =
		MODEL_NATIVE(UVERBS_OBJECT_DEVICE,
			     UVERBS_METHOD_QUERY_GID_ENTRY);
	enum ibv_gid_type_sysfs type = 42;
	union ibv_gid found;

	fill_table();
	/* What sysfs would say is not asked for. */
	put_file("gids", 9, "fe80:0000:0000:0000:0000:0000:0000:0009\n");
	check_no_gid(1, 9, EINVAL);
	check_no_gid(2, 0, EINVAL);
	check_no_gid(1, -1, EINVAL);

	model_fail(entry, EIO);
	errno = 0;
	CHECK_INT(ibv_query_gid(context, 1, 0, &found), -1);
	CHECK_INT(errno, EIO);
	model_fail(entry, EIO);
	CHECK_INT(ibv_query_gid_type(context, 1, 0, &type), -1);
	CHECK_INT(errno, EIO);
	CHECK_INT(type, 42);
}

/* ---- by sysfs ---- */

static void fill_sysfs(void)
{
	put_file("gids", 0, "fe80:0000:0000:0000:0011:2233:4455:6677\n");
	put_file("gid_attrs/types", 0, "RoCE v2\n");
	put_file("gid_attrs/ndevs", 0, "lo\n");
	put_file("gids", 1, "fe80:0000:0000:0000:00aA:BbcC:ddeE:ff00\n");
	put_file("gid_attrs/types", 1, "IB/RoCE v1\n");
	put_file("gids", 2, "0000:0000:0000:0000:0000:0000:0000:0000\n");
	mp->port.gid_tbl_len = 3;
	model.no_gid_queries = true;
}

MODEL_TEST(by_sysfs)
{
	struct ibv_gid_entry entry, table[4];
	enum ibv_gid_type_sysfs type;
	union ibv_gid found;

	fill_sysfs();
	CHECK_INT(ibv_query_gid(context, 1, 1, &found), 0);
	CHECK(same(&found, "fe80::aa:bbcc:ddee:ff00"));
	CHECK_INT(ibv_query_gid(context, 1, 2, &found), 0);
	CHECK(same(&found, "::"));

	CHECK_INT(ibv_query_gid_ex(context, 1, 0, &entry, 0), 0);
	CHECK(same(&entry.gid, "fe80::11:2233:4455:6677"));
	CHECK_INT(entry.gid_index, 0);
	CHECK_INT(entry.port_num, 1);
	CHECK_INT(entry.gid_type, IBV_GID_TYPE_ROCE_V2);
	CHECK_INT(entry.ndev_ifindex, if_nametoindex("lo"));
	CHECK_INT(ibv_query_gid_ex(context, 1, 1, &entry, 0), 0);
	CHECK_INT(entry.gid_type, IBV_GID_TYPE_ROCE_V1);
	CHECK_INT(entry.ndev_ifindex, 0);
	CHECK_INT(ibv_query_gid_ex(context, 1, 2, &entry, 0), ENODATA);
	CHECK_INT(ibv_query_gid_ex(context, 1, 1, &entry, 1), EOPNOTSUPP);

	CHECK_INT(ibv_query_gid_type(context, 1, 0, &type), 0);
	CHECK_INT(type, IBV_GID_TYPE_SYSFS_ROCE_V2);
	CHECK_INT(ibv_query_gid_type(context, 1, 1, &type), 0);
	CHECK_INT(type, IBV_GID_TYPE_SYSFS_IB_ROCE_V1);

	CHECK_INT(ibv_query_gid_table(context, table, 4, 0), 2);
	CHECK_INT(table[1].gid_index, 1);
	CHECK_INT(ibv_query_gid_table(context, table, 2, 0), 2);
	CHECK_INT(ibv_query_gid_table(context, table, 1, 0), -EINVAL);
	CHECK_INT(ibv_query_gid_table(context, table, 4, 1), -EOPNOTSUPP);

	mp->port.link_layer = IBV_LINK_LAYER_UNSPECIFIED;
	CHECK_INT(ibv_query_gid_ex(context, 1, 1, &entry, 0), 0);
	CHECK_INT(entry.gid_type, IBV_GID_TYPE_IB);

	mp->result = EIO;
	CHECK_INT(ibv_query_gid_ex(context, 1, 1, &entry, 0), EIO);
	CHECK_INT(ibv_query_gid_table(context, table, 4, 0), -EIO);
}

/* Programs of later and earlier headers */
MODEL_TEST(entry_sizes_by_sysfs)
{
	struct {
		struct ibv_gid_entry entry;
		uint64_t later;
	} tables[2];

	fill_sysfs();
	memset(tables, 0xa5, sizeof(tables));
	CHECK_INT(_ibv_query_gid_table(context, &tables[0].entry, 2, 0,
				       sizeof(tables[0])),
		  2);
	CHECK_INT(tables[0].later, 0);
	CHECK(same(&tables[1].entry.gid, "fe80::aa:bbcc:ddee:ff00"));

	memset(tables, 0xa5, sizeof(tables));
	CHECK_INT(_ibv_query_gid_ex(context, 1, 0, &tables[0].entry, 0, 16), 0);
	CHECK(same(&tables[0].entry.gid, "fe80::11:2233:4455:6677"));
	check_untouched(&tables[0].entry.gid_index, 16);
}

MODEL_TEST(what_may_be_wrong_in_sysfs)
{
	static const char *const malformed[] = {
		"",
		"\n",
		"fe80\n",
		"fe80:0000:0000:0000:0011:2233:4455:667\n",
		"fe80:0000:0000:0000:0011:2233:4455:66777\n",
		"fe80:0000:0000:0000:0011:2233:4455-6677\n",
		"fe80:0000:0000:0000:0011:2233:4455: 677\n",
		"fe80:0000:0000:0000:0011:2233:4455:667g\n",
		"fe80:0000:00000:000:0011:2233:4455:6677\n",
	};
	struct ibv_gid_entry entry = untouched_entry();
	enum ibv_gid_type_sysfs type = 42;

	fill_sysfs();
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		put_file("gids", 3, malformed[i]);
		check_no_gid(1, 3, EINVAL);
	}
	put_file("gids", 3,
		 "fe80:0000:0000:0000:0011:2233:4455:6677:8899:aabb\n");
	check_no_gid(1, 3, EOVERFLOW);
	check_no_gid(1, 4, EINVAL);
	check_no_gid(2, 0, EINVAL);

	put_file("gids", 3, "fe80:0000:0000:0000:0011:2233:4455:6678\n");
	CHECK_INT(ibv_query_gid_ex(context, 1, 3, &entry, 0), EINVAL);
	put_file("gid_attrs/types", 3, "RoCE v3\n");
	CHECK_INT(ibv_query_gid_ex(context, 1, 3, &entry, 0), EOPNOTSUPP);
	CHECK_INT(ibv_query_gid_type(context, 1, 3, &type), -1);
	CHECK_INT(errno, EOPNOTSUPP);
	put_file("gid_attrs/types", 3, "");
	CHECK_INT(ibv_query_gid_ex(context, 1, 3, &entry, 0), EOPNOTSUPP);
	put_file("gid_attrs/types", 3, "RoCE v2\n");
	put_file("gid_attrs/ndevs", 3, "nonesuch\n");
	CHECK_INT(ibv_query_gid_ex(context, 1, 3, &entry, 0), ENODEV);
	check_untouched(&entry, sizeof(entry));
	CHECK_INT(type, 42);
}

MODEL_TEST(sysfs_without_types)
{
	struct ibv_gid_entry entry;
	enum ibv_gid_type_sysfs type = 42;

	put_file("gids", 0, "fe80:0000:0000:0000:0011:2233:4455:6677\n");
	model.no_gid_queries = true;
	CHECK_INT(ibv_query_gid_ex(context, 1, 0, &entry, 0), 0);
	CHECK_INT(entry.gid_type, IBV_GID_TYPE_ROCE_V1);
	CHECK_INT(ibv_query_gid_type(context, 1, 0, &type), 0);
	CHECK_INT(type, IBV_GID_TYPE_SYSFS_IB_ROCE_V1);
}

/* ---- P_Keys ---- */

MODEL_TEST(pkeys)
{
	static const char *const malformed[] = {
		"", "\n", "junk\n", "0x\n", "-1\n", "0x12345\n", "0x12 34\n"
	};
	__be16 pkey = 0xa5a5;

	put_file("pkeys", 0, "0xffff\n");
	put_file("pkeys", 1, "0x1234\n");
	put_file("pkeys", 2, "8001");
	CHECK_INT(ibv_query_pkey(context, 1, 0, &pkey), 0);
	CHECK_INT(pkey, 0xffff);
	CHECK_INT(ibv_query_pkey(context, 1, 1, &pkey), 0);
	CHECK_INT(pkey, htons(0x1234));
	CHECK_INT(ibv_query_pkey(context, 1, 2, &pkey), 0);
	CHECK_INT(pkey, htons(0x8001));

	CHECK_INT(ibv_get_pkey_index(context, 1, 0xffff), 0);
	CHECK_INT(ibv_get_pkey_index(context, 1, htons(0x8001)), 2);
	CHECK_INT(ibv_get_pkey_index(context, 1, htons(0x7fff)), -1);
	CHECK_INT(ibv_get_pkey_index(context, 2, 0xffff), -1);

	pkey = 0xa5a5;
	CHECK_INT(ibv_query_pkey(context, 1, 3, &pkey), -1);
	CHECK_INT(errno, ENOENT);
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		put_file("pkeys", 3, malformed[i]);
		errno = 0;
		CHECK_INT(ibv_query_pkey(context, 1, 3, &pkey), -1);
		CHECK_INT(errno, EINVAL);
	}
	CHECK_INT(pkey, 0xa5a5);
}

/* ---- the way back to the sender ---- */

#define NEXT_UDP 17
#define NEXT_IBA 0x1b

static struct ibv_grh ipv6(const char *from, const char *to, int next_header)
{
	struct ibv_grh grh = {
		.version_tclass_flow = htonl(6u << 28 | 0xabu << 20 | 0x12345),
		.paylen = htons(50),
		.next_hdr = next_header,
		.hop_limit = 44,
		.sgid = gid(from),
		.dgid = gid(to),
	};

	return grh;
}

static uint8_t *ipv4_header(struct ibv_grh *grh)
{
	return (uint8_t *)grh + 20;
}

static void set_checksum(struct ibv_grh *grh)
{
	uint8_t *header = ipv4_header(grh);
	uint32_t sum = 0;

	header[10] = header[11] = 0;
	for (int i = 0; i < 20; i += 2)
		sum += header[i] << 8 | header[i + 1];
	sum = ~(sum + (sum >> 16));
	header[10] = sum >> 8;
	header[11] = sum;
}

/* An IPv4 header stands in the second half. */
static struct ibv_grh ipv4(const char *from, const char *to)
{
	struct ibv_grh grh = { 0 };
	uint8_t *header = ipv4_header(&grh);

	header[0] = 0x45;
	header[1] = 0x12;
	header[3] = 60;
	header[8] = 33;
	header[9] = NEXT_UDP;
	CHECK_INT(inet_pton(AF_INET, from, header + 12), 1);
	CHECK_INT(inet_pton(AF_INET, to, header + 16), 1);
	set_checksum(&grh);
	return grh;
}

static const struct ibv_wc wc_grh = {
	.wc_flags = IBV_WC_GRH, .slid = 77, .sl = 3, .dlid_path_bits = 5
};

static void check_sender(struct ibv_grh grh, const char *peer, int sgid_index,
			 uint32_t flow, int hops, int class)
{
	struct ibv_wc wc = wc_grh;
	struct ibv_ah_attr attr;

	memset(&attr, 0xa5, sizeof(attr));
	CHECK_INT(ibv_init_ah_from_wc(context, 1, &wc, &grh, &attr), 0);
	CHECK_INT(attr.is_global, 1);
	CHECK_INT(attr.dlid, 77);
	CHECK_INT(attr.sl, 3);
	CHECK_INT(attr.src_path_bits, 5);
	CHECK_INT(attr.static_rate, 0);
	CHECK_INT(attr.port_num, 1);
	CHECK(same(&attr.grh.dgid, peer));
	CHECK_INT(attr.grh.sgid_index, sgid_index);
	CHECK_INT(attr.grh.flow_label, flow);
	CHECK_INT(attr.grh.hop_limit, hops);
	CHECK_INT(attr.grh.traffic_class, class);
}

static void check_no_sender(struct ibv_grh grh, int err)
{
	struct ibv_wc wc = wc_grh;
	struct ibv_ah_attr attr;

	memset(&attr, 0xa5, sizeof(attr));
	errno = 0;
	CHECK_INT(ibv_init_ah_from_wc(context, 1, &wc, &grh, &attr), -1);
	CHECK_INT(errno, err);
	check_untouched(&attr, sizeof(attr));
}

MODEL_TEST(sender_by_lid)
{
	struct ibv_wc wc = wc_grh;
	struct ibv_ah_attr attr;

	wc.wc_flags = 0;
	memset(&attr, 0xa5, sizeof(attr));
	CHECK_INT(ibv_init_ah_from_wc(context, 1, &wc, NULL, &attr), 0);
	CHECK_INT(attr.is_global, 0);
	CHECK_INT(attr.dlid, 77);
	CHECK_INT(attr.port_num, 1);
	CHECK(same(&attr.grh.dgid, "::"));
}

MODEL_TEST(sender_by_header)
{
	fill_table();
	model_count_from_here();
	check_sender(ipv6("fe80::99", "fe80::1", NEXT_IBA), "fe80::99", 0,
		     0x12345, 44, 0xab);
	CHECK_INT(model_calls(), 1);
	check_sender(ipv6("fe80::99", "fe80::1", NEXT_UDP), "fe80::99", 1,
		     0x12345, 44, 0xab);
	/* Past the empty entry */
	check_sender(ipv6("fe80::99", "fe80::7", NEXT_IBA), "fe80::99", 4,
		     0x12345, 44, 0xab);
	check_sender(ipv4("10.0.0.9", "10.0.0.1"), "::ffff:10.0.0.9", 3, 0, 33,
		     0x12);
}

MODEL_TEST(sender_by_sysfs)
{
	fill_sysfs();
	check_sender(ipv6("fe80::99", "fe80::11:2233:4455:6677", NEXT_UDP),
		     "fe80::99", 0, 0x12345, 44, 0xab);
	check_sender(ipv6("fe80::99", "fe80::aa:bbcc:ddee:ff00", NEXT_IBA),
		     "fe80::99", 1, 0x12345, 44, 0xab);
	check_no_sender(ipv6("fe80::99", "fe80::11:2233:4455:6677", NEXT_IBA),
			EINVAL);
}

MODEL_TEST(ambiguous_header)
{
	struct ibv_grh grh = ipv4("10.0.0.9", "10.0.0.1");
	uint8_t *bytes = (uint8_t *)&grh;

	fill_table();
	/* IPv4 behind garbage that looks like IPv6 */
	bytes[0] = 0x60;
	check_sender(grh, "::ffff:10.0.0.9", 3, 0, 33, 0x12);
	/* IPv6 with an address that looks like IPv4, but for the checksum */
	bytes[30] ^= 1;
	bytes[6] = NEXT_UDP;
	check_no_sender(grh, EINVAL);
	/* If there is a doubt, IPv4 has no options. */
	grh = ipv4("10.0.0.9", "10.0.0.1");
	ipv4_header(&grh)[0] = 0x46;
	set_checksum(&grh);
	check_sender(grh, "::ffff:10.0.0.9", 3, 0, 33, 0x12);
	bytes[0] = 0x60;
	bytes[6] = NEXT_UDP;
	check_no_sender(grh, EINVAL);
}

MODEL_TEST(header_of_something_else)
{
	struct ibv_grh grh = { 0 };

	fill_table();
	check_no_sender(grh, EPROTONOSUPPORT);
	memset(&grh, 0xff, sizeof(grh));
	check_no_sender(grh, EPROTONOSUPPORT);
	check_no_sender(ipv6("fe80::99", "fe80::1", 6), EPROTONOSUPPORT);
	grh = ipv6("fe80::99", "fe80::1", NEXT_UDP);
	*(uint8_t *)&grh = 0x70;
	check_no_sender(grh, EPROTONOSUPPORT);

	/* Not ours, or not by this protocol */
	check_no_sender(ipv6("fe80::99", "fe80::55", NEXT_UDP), EINVAL);
	check_no_sender(ipv6("fe80::99", "fe80::7", NEXT_UDP), EINVAL);
	check_no_sender(ipv4("10.0.0.9", "10.0.0.2"), EINVAL);

	model_fail(MODEL_NATIVE(UVERBS_OBJECT_DEVICE,
				UVERBS_METHOD_QUERY_GID_ENTRY),
		   EIO);
	check_no_sender(ipv6("fe80::99", "fe80::1", NEXT_UDP), EIO);
}

MODEL_TEST(address_handle_for_the_sender)
{
	struct ibv_grh grh = ipv6("fe80::99", "fe80::1", NEXT_UDP);
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_wc wc = wc_grh;
	struct ibv_ah *ah;

	fill_table();
	CHECK(pd);
	ah = ibv_create_ah_from_wc(pd, &wc, &grh, 1);
	CHECK(ah && ah->pd == pd && ah->context == context);
	CHECK_INT(mp->other.flags, 77);
	CHECK_INT(ibv_destroy_ah(ah), 0);

	grh.next_hdr = 6;
	mp->other.calls = 0;
	CHECK_NULL(ibv_create_ah_from_wc(pd, &wc, &grh, 1), EPROTONOSUPPORT);
	CHECK_INT(mp->other.calls, 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
}

#define gid_unit(_name) cmocka_unit_test_setup_teardown(_name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		gid_unit(by_command),
		gid_unit(by_command_fails),
		gid_unit(by_sysfs),
		gid_unit(entry_sizes_by_sysfs),
		gid_unit(what_may_be_wrong_in_sysfs),
		gid_unit(sysfs_without_types),
		gid_unit(pkeys),
		gid_unit(sender_by_lid),
		gid_unit(sender_by_header),
		gid_unit(sender_by_sysfs),
		gid_unit(ambiguous_header),
		gid_unit(header_of_something_else),
		gid_unit(address_handle_for_the_sender),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
