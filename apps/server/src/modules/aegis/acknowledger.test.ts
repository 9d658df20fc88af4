import { expect, test } from 'vitest'
import { createAcknowledger } from './acknowledger.ts'
import type { Enforced } from './propagation.ts'

const enforced = (id: string): Enforced => ({ killSwitch: { id, tenant_id: 't' }, aborted: 0 })

test('what the database did not take is handed in again, once', async () => {
  const written: string[] = []
  let away = true
  const acknowledger = createAcknowledger(async ({ killSwitch }) => {
    await Promise.resolve()
    if (away) throw new Error('away')
    written.push(killSwitch.id)
  })
  await expect(acknowledger.handIn([enforced('a')])).rejects.toThrow('away')
  away = false
  await Promise.all([acknowledger.handIn([enforced('b')]), acknowledger.handIn([])])
  await acknowledger.handIn([])
  expect(written.toSorted()).toEqual(['a', 'b'])
})
