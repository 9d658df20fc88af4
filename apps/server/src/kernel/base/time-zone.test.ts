import { expect, test } from 'vitest'
import { isTimeZone } from './time-zone.ts'

test('a zone is one that somebody knows', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', 'x y'].map(isTimeZone)).toEqual([true, true, false, false, false])
})
