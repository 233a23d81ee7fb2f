// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Static rates: the IBTA's encoding, multiples of 2.5 Gb/s, and Mb/s. */
#include <stddef.h>

#include <infiniband/verbs.h>

/*
 * mult is the whole number of 2.5 Gb/s lanes of an SDR-based rate, or what
 * the architecture rounds an HDR-based one to; 0: the rate has no such number.
 */
static const struct rate {
	enum ibv_rate rate;
	int mult;
	int mbps;
} rates[] = {
	{ IBV_RATE_2_5_GBPS, 1, 2500 },
	{ IBV_RATE_5_GBPS, 2, 5000 },
	{ IBV_RATE_10_GBPS, 4, 10000 },
	{ IBV_RATE_14_GBPS, 0, 14062 },
	{ IBV_RATE_20_GBPS, 8, 20000 },
	{ IBV_RATE_25_GBPS, 0, 25781 },
	{ IBV_RATE_28_GBPS, 11, 28125 },
	{ IBV_RATE_30_GBPS, 12, 30000 },
	{ IBV_RATE_40_GBPS, 16, 40000 },
	{ IBV_RATE_50_GBPS, 20, 53125 },
	{ IBV_RATE_56_GBPS, 0, 56250 },
	{ IBV_RATE_60_GBPS, 24, 60000 },
	{ IBV_RATE_80_GBPS, 32, 80000 },
	{ IBV_RATE_100_GBPS, 0, 103125 },
	{ IBV_RATE_112_GBPS, 0, 112500 },
	{ IBV_RATE_120_GBPS, 48, 120000 },
	{ IBV_RATE_168_GBPS, 0, 168750 },
	{ IBV_RATE_200_GBPS, 0, 206250 },
	{ IBV_RATE_300_GBPS, 0, 309375 },
	{ IBV_RATE_400_GBPS, 160, 425000 },
	{ IBV_RATE_600_GBPS, 240, 637500 },
	{ IBV_RATE_800_GBPS, 320, 850000 },
	{ IBV_RATE_1200_GBPS, 480, 1275000 },
};

#define for_each_rate(_r) \
	for (_r = rates; _r < rates + sizeof(rates) / sizeof(rates[0]); _r++)

/**
 * ibv_rate_to_mult - A rate as a multiple of 2.5 Gb/s
 *
 * Returns -1 for a rate that is not one.  Thread-safe.
 */
int ibv_rate_to_mult(enum ibv_rate rate)
{
	const struct rate *r;

	for_each_rate(r) if (r->rate == rate && r->mult) return r->mult;
	return -1;
}

/**
 * mult_to_ibv_rate - The rate that is mult times 2.5 Gb/s
 *
 * Returns IBV_RATE_MAX if there is none.  Thread-safe.
 */
enum ibv_rate mult_to_ibv_rate(int mult)
{
	const struct rate *r;

	for_each_rate(r) if (r->mult == mult && mult) return r->rate;
	return IBV_RATE_MAX;
}

/**
 * ibv_rate_to_mbps - A rate in Mb/s
 *
 * Returns -1 for a number that is no rate.  Thread-safe.
 */
int ibv_rate_to_mbps(enum ibv_rate rate)
{
	const struct rate *r;

	for_each_rate(r) if (r->rate == rate) return r->mbps;
	return -1;
}

/**
 * mbps_to_ibv_rate - The rate of exactly that many Mb/s
 *
 * Returns IBV_RATE_MAX if there is none.  Thread-safe.
 */
enum ibv_rate mbps_to_ibv_rate(int mbps)
{
	const struct rate *r;

	for_each_rate(r) if (r->mbps == mbps) return r->rate;
	return IBV_RATE_MAX;
}
