import { expect, expectTypeOf, test } from 'vitest'
import { allow } from '../progress/outcome.ts'
import type { CallState, Changes } from './call-parts.ts'
import type { Given, Step } from './step.ts'

type Budgeting = Step<'plan' | 'money', 'money'>

const budgeting: Budgeting = {
  ...{ n: 4, name: 'rate_and_budget', budgetMs: 1, onFailure: 'closed' },
  run: ({ plan, money, write }) => {
    write({ money: { vectorTokens: money.vectorTokens + plan.targets.length } })
    return allow
  },
}

test('a step is given a call with more parts than it declares', () => {
  const steps: readonly Step[] = [budgeting]
  expect(steps).toHaveLength(1)
  expectTypeOf<CallState>().toExtend<Given<'plan' | 'money', 'money'>>()
})

test('a step that reads or writes a part it has not declared does not compile', () => {
  const base = { n: 4, name: 'rate_and_budget', budgetMs: 1, onFailure: 'closed' } as const
  const steps: readonly Budgeting[] = [
    // @ts-expect-error `findings` is not declared to be read.
    { ...base, run: ({ findings }) => (findings === undefined ? allow : allow) },
    {
      ...base,
      run: ({ write }) => {
        // @ts-expect-error `plan` is declared to be read, and not to be written.
        write({ plan: { targets: [] } })
        return allow
      },
    },
    {
      ...base,
      run: ({ plan }) => {
        // @ts-expect-error only the runner changes a part.
        if (plan.route !== null) plan.route = null
        return allow
      },
    },
  ]
  expect(steps).toHaveLength(3)
  expectTypeOf<{ readonly plan: { readonly targets: [] } }>().not.toExtend<Changes<'money'>>()
})
