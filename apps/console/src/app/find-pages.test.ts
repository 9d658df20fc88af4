import { expect, test } from 'vitest'
import { findPlaces } from './find-pages.ts'

const places = ['Requests Gateway', 'Risk register Risk', 'Alerts AEGIS'].map((text) => {
  const [name = '', where = ''] = text.split(/ (?=\w+$)/)
  return { name, where, href: `/${name}` }
})
const found = (typed: string): readonly string[] => findPlaces(places, typed).map(({ name }) => name)

test('places are found by beginnings before letters in order', () => {
  expect(found('')).toEqual(['Requests', 'Risk register', 'Alerts'])
  expect(found('re')).toEqual(['Requests', 'Risk register', 'Alerts'])
  expect(found('gateway')).toEqual(['Requests'])
  expect(found('als')).toEqual(['Alerts'])
  expect(found('zz')).toEqual([])
})
