// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Ports: are they up, and have they addresses? */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"

const char *ibv_get_sysfs_path(void);

#define SHOWN_GIDS 2
#define MAX_GIDS 1024

struct port {
	struct doctor *doctor;
	struct doctor_device *dev;
	const char *number;
	char link[32];
	char netdev[64];
	/* GIDs: how many, and the first ones as text */
	unsigned int gids;
	char shown[256];
};

#define PORT "%s/class/infiniband/%s/ports/%s"
#define PORT_ARGS(_port) \
	ibv_get_sysfs_path(), (_port)->dev->name, (_port)->number

static void read_gids(struct port *port)
{
	size_t used = 0;

	for (unsigned int i = 0; i < MAX_GIDS; i++) {
		char gid[64], type[32] = "";
		struct in6_addr binary;

		if (!doctor_read(gid, sizeof(gid), PORT "/gids/%u",
				 PORT_ARGS(port), i))
			break;
		if (inet_pton(AF_INET6, gid, &binary) != 1 ||
		    IN6_IS_ADDR_UNSPECIFIED(&binary))
			continue;
		port->gids++;
		if (!port->netdev[0])
			doctor_read(port->netdev, sizeof(port->netdev),
				    PORT "/gid_attrs/ndevs/%u", PORT_ARGS(port),
				    i);
		if (port->gids > SHOWN_GIDS)
			continue;
		if (!doctor_read(type, sizeof(type), PORT "/gid_attrs/types/%u",
				 PORT_ARGS(port), i))
			type[0] = '\0';
		inet_ntop(AF_INET6, &binary, gid, sizeof(gid));
		used += snprintf(port->shown + used, sizeof(port->shown) - used,
				 "%s[%u] %s%s%s%s", used ? ", " : "", i, gid,
				 type[0] ? " (" : "", type, type[0] ? ")" : "");
	}
}

/* "ACTIVE" of "4: ACTIVE" */
static const char *word_of(const char *state)
{
	const char *colon = strstr(state, ": ");

	return colon ? colon + 2 : state;
}

static void not_active(struct port *port, const char *word)
{
	struct doctor_report *report = &port->doctor->report;

	doctor_add(report, port->dev->name, "port", DOCTOR_PROBLEM,
		   "%s: %s, %s", port->number, word, port->link);
	if (!strcmp(port->link, "InfiniBand") && !strcmp(word, "DOWN"))
		doctor_fix(report, "see whether the cable is in, and the port "
				   "enabled at both ends: ibstat");
	else if (!strcmp(port->link, "InfiniBand"))
		doctor_fix(report, "run a subnet manager in this fabric: "
				   "systemctl start opensm");
	else if (port->netdev[0])
		doctor_fix(report,
			   "ip link set %s up; if it is up, see to its cable",
			   port->netdev);
	else
		doctor_fix(report, "set its network interface up: rdma link "
				   "show; ip link set INTERFACE up");
}

static void without_address(struct port *port)
{
	struct doctor_report *report = &port->doctor->report;

	if (!strcmp(port->link, "InfiniBand")) {
		doctor_add(report, port->dev->name, "port", DOCTOR_PROBLEM,
			   "%s: ACTIVE, InfiniBand, but it has no LID",
			   port->number);
		doctor_fix(report, "see what the subnet manager says of this "
				   "port");
		return;
	}
	doctor_add(report, port->dev->name, "port", DOCTOR_PROBLEM,
		   "%s: ACTIVE, %s, but it has no GID", port->number,
		   port->link);
	doctor_fix(report,
		   "give its network interface an address: ip addr add "
		   "ADDRESS/LENGTH dev %s",
		   port->netdev[0] ? port->netdev : "INTERFACE");
}

static bool check_port(const char *number, void *arg)
{
	struct port port = *(struct port *)arg;
	char state[64], text[32];
	unsigned long lid = 0;

	if (strlen(number) > 3 ||
	    strspn(number, "0123456789") != strlen(number))
		return true;
	port.number = number;
	if (!doctor_read(state, sizeof(state), PORT "/state",
			 PORT_ARGS(&port)) ||
	    !doctor_read(port.link, sizeof(port.link), PORT "/link_layer",
			 PORT_ARGS(&port))) {
		doctor_add(&port.doctor->report, port.dev->name, "port",
			   DOCTOR_NOTE, "%s: its state cannot be read", number);
		return true;
	}
	read_gids(&port);
	if (doctor_read(text, sizeof(text), PORT "/lid", PORT_ARGS(&port)))
		lid = strtoul(text, NULL, 0);

	if (strcmp(word_of(state), "ACTIVE"))
		not_active(&port, word_of(state));
	else if (!strcmp(port.link, "InfiniBand") ? !lid : !port.gids)
		without_address(&port);
	else if (!strcmp(port.link, "InfiniBand"))
		doctor_add(&port.doctor->report, port.dev->name, "port",
			   DOCTOR_OK, "%s: ACTIVE, %s, LID %lu, GID %s", number,
			   port.link, lid, port.shown);
	else
		doctor_add(&port.doctor->report, port.dev->name, "port",
			   DOCTOR_OK, "%s: ACTIVE, %s, %u GID%s: %s", number,
			   port.link, port.gids, port.gids == 1 ? "" : "s",
			   port.shown);
	return true;
}

void doctor_check_ports(struct doctor *doctor, struct doctor_device *dev)
{
	struct port port = { .doctor = doctor, .dev = dev };
	char path[512];

	snprintf(path, sizeof(path), "%s/class/infiniband/%s/ports",
		 ibv_get_sysfs_path(), dev->name);
	if (!doctor_exists("%s", path))
		doctor_add(&doctor->report, dev->name, "port", DOCTOR_NOTE,
			   "nothing in %s", path);
	doctor_each_entry(path, check_port, &port);
}
