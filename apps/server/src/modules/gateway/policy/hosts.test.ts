import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonHosts, hostSet } from './hosts.ts'

const entries = fc.array(fc.constantFrom('a.com', '*.a.com', 'x.a.com', '*.x.a.com', 'y.x.a.com', 'b.com', '*.com'), {
  maxLength: 5,
})
const hosts = ['a.com', 'x.a.com', 'y.x.a.com', 'z.y.x.a.com', 'b.com', 'c.b.com', 'other.org']
const holds = (list: readonly string[], host: string): boolean =>
  list.some((entry) => entry === host || (entry.startsWith('*.') && host.endsWith(entry.slice(1))))

test('common hosts are exactly those that both lists hold, in one form', () => {
  fc.assert(
    fc.property(entries, entries, (a, b) => {
      const common = commonHosts(a, b)
      for (const host of hosts) expect(holds(common, host)).toBe(holds(a, host) && holds(b, host))
      expect(commonHosts(b, a)).toEqual(common)
      expect(commonHosts(a, a)).toEqual(hostSet(a))
    }),
  )
})
