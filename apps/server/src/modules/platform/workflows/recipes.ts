/** Ready-made workflows; each is accepted as it is by `POST /workflows`. Tested in check.test.ts. */

import type { NewWorkflow } from './declared/schema.ts'
import stored from './recipes.json' with { type: 'json' }

export interface Recipe extends Required<Pick<NewWorkflow, 'key' | 'name' | 'definition' | 'declared_permissions'>> {
  readonly description: string
}

export const recipes = stored as readonly Recipe[]
