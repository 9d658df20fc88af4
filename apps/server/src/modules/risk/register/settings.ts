import Type, { type Static } from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'
import { Appetite, isOrdered } from '../scoring/appetite.ts'
import { type Category, categories } from '../scoring/words.ts'

const Appetites = strictObject({
  tenant: Type.Optional(nullable(Appetite)),
  categories: Type.Optional(
    strictObject(
      Object.fromEntries(categories.map((category) => [category, Type.Optional(Appetite)])) as Record<
        Category,
        ReturnType<typeof Type.Optional<typeof Appetite>>
      >,
    ),
  ),
})
type Appetites = Static<typeof Appetites>

/** Appetite, tolerance and capacity of the tenant and of each category; a risk may have its own. */
export const appetites = defineSetting({
  key: 'risk.appetites',
  schema: Appetites,
  default: {},
  scope: 'tenant',
  description:
    'Risk appetite, tolerance and capacity (95 % value at risk of annual loss) of the tenant as a whole and of each category of risks',
  check: ({ tenant, categories: own = {} }) => {
    const all = [tenant, ...Object.values(own)].flatMap((one) => one ?? [])
    return all.every(isOrdered)
      ? null
      : 'The appetite must be below the tolerance, and the tolerance below the capacity.'
  },
})

type Asked = { readonly category: Category; readonly appetite: Appetite | null }

/** The appetite that a risk is held to: its own, else its category's, else the tenant's; null where none is set. */
export function appetiteOf({ settings }: Pick<Kernel, 'settings'>, tenantId: TenantId, risk: Asked): Appetite | null {
  const { tenant, categories: own }: Appetites = settings.get(appetites, tenantId)
  return risk.appetite ?? own?.[risk.category] ?? tenant ?? null
}

/** The appetite of the tenant as a whole. */
export const tenantAppetite = ({ settings }: Pick<Kernel, 'settings'>, tenantId: TenantId): Appetite | null =>
  settings.get(appetites, tenantId).tenant ?? null
