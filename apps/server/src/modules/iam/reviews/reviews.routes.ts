import { apiErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { IamServices } from '../services/iam-services.ts'
import { changeReview } from './change.ts'
import { openReview } from './open.ts'
import * as schema from './schema.ts'
import { accessReviews } from './tables.ts'
import { listReviews, seeReview } from './views.ts'

const route = routesOf<IamServices>()

export const reviewRoutes = [
  route.get('/access-reviews', {
    permission: 'iam:read',
    summary: 'List access reviews',
    query: schema.ReviewFilter,
    list: { table: accessReviews, default: '-created_at' },
    returns: [200, schema.AccessReview],
    handler: ({ tx, query, page }) => listReviews(tx, { filter: query, page }),
  }),
  route.post('/access-reviews', {
    permission: 'iam:admin',
    summary: 'Open an access review',
    description:
      'Takes down who has what now, gives every item a reviewer and a recommendation by its last use. Decisions take effect with the rights of who opens it.',
    body: schema.CreateReview,
    returns: [201, schema.AccessReview],
    audit: 'iam.access_review.open',
    rateClass: 'expensive',
    errors: [errors.exceedsRights],
    handler: ({ services, tx, actor, body }) => openReview(services, tx, { actor, body }),
  }),
  route.get('/access-reviews/{review_id}', {
    permission: 'authenticated',
    summary: 'Get an access review with its items',
    description: 'Reviewers see the items they review; with iam:read all are shown.',
    query: schema.ItemQuery,
    returns: [200, schema.ReviewWithItems],
    errors: [apiErrors.notFound, apiErrors.badCursor],
    handler: ({ kernel, tx, actor, params, query }) => seeReview(kernel, tx, { actor, id: params.review_id, query }),
  }),
  route.patch('/access-reviews/{review_id}', {
    permission: 'authenticated',
    summary: 'Decide items of an access review, hand them over; open, close or cancel it',
    description: 'Reviewers decide their items. Everything else needs iam:admin. A revocation takes effect at once.',
    body: schema.PatchReview,
    returns: [200, schema.ChangedReview],
    audit: 'iam.access_review.change',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.conflict,
      errors.illegalMove,
      errors.exceedsRights,
      errors.lastAdministrator,
      errors.reviewClosed,
      errors.ownAccess,
    ],
    handler: ({ services, actor, params, body, request, precondition }) => {
      const scope = { tenantId: actor.tenantId, origin: originOf(request, actor) }
      return changeReview(services, scope, { actor, id: params.review_id, body, precondition })
    },
  }),
]
