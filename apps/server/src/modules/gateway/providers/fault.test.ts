import { expect, test } from 'vitest'
import { retryAfterMs } from './fault.ts'

const day = 86_400_000
const date = 'Wed, 25 Nov 2026 22:00:00 GMT'

test.each([
  [{}, null],
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '7', 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '7200' }, 7_200_000],
  [{ 'retry-after': '9999999' }, day],
  [{ 'retry-after-ms': '99999999999' }, day],
  [{ 'retry-after': 'Wed, 25 Nov 2026 22:01:30 GMT', date }, 90_000],
  [{ 'retry-after': 'Wednesday, 25-Nov-26 22:01:30 GMT', date }, 90_000],
  [{ 'retry-after': 'Wed, 25 Nov 2026 21:00:00 GMT', date }, 0],
  [{ 'retry-after': 'Wed, 25 Nov 2099 21:00:00 GMT', date }, day],
  // Without the provider's own clock the distance is unknown.
  [{ 'retry-after': 'Wed, 25 Nov 2026 22:01:30 GMT' }, null],
  [{ 'retry-after': 'Soon, if you ask nicely', date }, null],
  [{ 'retry-after': '-5' }, null],
])('%j is the wish for %s ms', (headers: Readonly<Record<string, string>>, ms) => {
  expect(retryAfterMs((name) => headers[name] ?? '')).toBe(ms)
})
