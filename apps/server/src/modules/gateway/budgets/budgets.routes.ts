import { apiErrors } from '../../../kernel/http/errors.ts'
import { Answer, routesOf } from '../../../kernel/route.ts'
import { errors } from '../declared/errors.ts'
import { Budget, BudgetFilter, CreateBudget, ListedBudget, PatchBudget } from './schemas.ts'
import { budgets } from './tables.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { createBudget, listBudgets, patchBudget } from './budgets.ts'

interface Services {
  readonly iam: IamApi
  readonly kernel: Kernel
}

const route = routesOf<Services>()

export const budgetRoutes = [
  route.get('/budgets', {
    permission: 'gateway:read',
    summary: 'List budgets with what is left of them',
    description:
      'The numbers are those calls are refused on. Without `gateway:admin` or the role of an auditor, only budgets of the caller.',
    query: BudgetFilter,
    returns: [200, ListedBudget],
    list: { table: budgets, default: '-created_at' },
    handler: ({ tx, kernel, actor, page, query }) => listBudgets(kernel, tx, { actor, page, filter: query }),
  }),
  route.post('/budgets', {
    permission: 'gateway:admin',
    summary: 'Create a budget',
    body: CreateBudget,
    returns: [201, Budget],
    audit: 'gateway.budget.create',
    errors: [errors.nameTaken, errors.unknownTarget],
    handler: async ({ tx, body, services }) => new Answer(await createBudget(services, tx, body), { version: 1 }),
  }),
  route.patch('/budgets/{budget_id}', {
    permission: 'gateway:admin',
    summary: 'Change, pause or archive a budget, or book a correction',
    description: 'A smaller amount counts at once, also for what is spent already. An archived budget stays as it is.',
    body: PatchBudget,
    returns: [200, Budget],
    audit: 'gateway.budget.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.conflict, errors.nameTaken],
    handler: async ({ tx, kernel, params, body, expectVersion }) => {
      const changed = await patchBudget(kernel, tx, {
        id: params.budget_id,
        input: body,
        expectVersion: (version) => expectVersion(version),
      })
      return new Answer(changed.budget, { version: changed.version })
    },
  }),
]
