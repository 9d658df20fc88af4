import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { createBudget, listBudgets, patchBudget } from './budgets.ts'
import { Budget, BudgetFilter, CreateBudget, ListedBudget, PatchBudget } from './schemas.ts'
import { budgets } from './tables.ts'

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
    handler: ({ tx, body, services }) => createBudget(services, tx, body),
  }),
  route.patch('/budgets/{budget_id}', {
    permission: 'gateway:admin',
    summary: 'Change, pause or archive a budget, or book a correction',
    description: 'A smaller amount counts at once, also for what is spent already. An archived budget stays as it is.',
    body: PatchBudget,
    returns: [200, Budget],
    audit: 'gateway.budget.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.conflict, errors.nameTaken],
    handler: ({ tx, kernel, params, body, precondition }) =>
      patchBudget(kernel, tx, { id: params.budget_id, input: body, precondition }),
  }),
]
