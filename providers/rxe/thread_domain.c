// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Thread domains, and parent domains that tie one to a PD.  Queues made on a
 * parent domain with a thread domain do without their locks.
 */
#include <stdlib.h>

#include "rxe.h"

static struct rxe_td *to_rxe_td(struct ibv_td *td)
{
	return provider_container(td, struct rxe_td, td);
}

struct ibv_td *rxe_alloc_td(struct ibv_context *context,
			    struct ibv_td_init_attr *attr)
{
	struct rxe_td *td;

	if (attr->comp_mask) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	td = new_object(struct rxe_td);
	if (!td) {
		errno = ENOMEM;
		return NULL;
	}
	td->td.context = context;
	return &td->td;
}

int rxe_dealloc_td(struct ibv_td *ibtd)
{
	struct rxe_td *td = to_rxe_td(ibtd);

	if (atomic_load(&td->parent_domains))
		return EBUSY;
	free(td);
	return 0;
}

struct ibv_pd *rxe_alloc_parent_domain(struct ibv_context *context,
				       struct ibv_parent_domain_init_attr *attr)
{
	struct rxe_parent_domain *parent;
	struct rxe_pd *pd;

	if (!attr->pd || attr->pd->context != context ||
	    (attr->td && attr->td->context != context)) {
		errno = EINVAL;
		return NULL;
	}
	pd = to_rxe_pd(attr->pd);
	if (pd->is_parent_domain) {
		errno = EINVAL;
		return NULL;
	}
	/*
	 * All queue memory is the kernel's, so a program's allocator would
	 * never be asked: better to say so than to ignore it.
	 */
	if (attr->comp_mask &
	    ~(uint32_t)IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT) {
		errno = EOPNOTSUPP;
		return NULL;
	}

	parent = new_object(struct rxe_parent_domain);
	if (!parent) {
		errno = ENOMEM;
		return NULL;
	}
	parent->domain.ibpd = *attr->pd;
	parent->domain.is_parent_domain = true;
	parent->pd = pd;
	atomic_fetch_add(&pd->parent_domains, 1);
	if (attr->td) {
		parent->td = to_rxe_td(attr->td);
		atomic_fetch_add(&parent->td->parent_domains, 1);
	}
	return &parent->domain.ibpd;
}

int rxe_dealloc_parent_domain(struct rxe_parent_domain *parent)
{
	if (parent->td)
		atomic_fetch_sub(&parent->td->parent_domains, 1);
	atomic_fetch_sub(&parent->pd->parent_domains, 1);
	free(parent);
	return 0;
}
