import { expect, test } from 'vitest'
import { announcedGrade, GRADES, gradeOf } from './grade.ts'

test.each([
  [10_000, 'A+'],
  [9700, 'A+'],
  [9699, 'A'],
  [9300, 'A'],
  [9000, 'A-'],
  [8700, 'B+'],
  [8300, 'B'],
  [8000, 'B-'],
  [7999, 'C+'],
  [7700, 'C+'],
  [7300, 'C'],
  [7000, 'C-'],
  [6700, 'D+'],
  [6300, 'D'],
  [6000, 'D-'],
  [5999, 'F'],
  [0, 'F'],
])('%i hundredths are %s', (composite, grade) => {
  expect(gradeOf(composite)).toBe(grade)
})

test('the grade never gets worse while the composite rises', () => {
  const ranks = Array.from({ length: 10_001 }, (_, composite) => GRADES.indexOf(gradeOf(composite)))
  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
})

test('people are told of a new grade only half a point beyond the boundary', () => {
  expect(announcedGrade('B-', 8320, 50)).toBe('B-')
  expect(announcedGrade('B-', 8350, 50)).toBe('B')
  expect(announcedGrade('B', 8280, 50)).toBe('B')
  expect(announcedGrade('B', 8250, 50)).toBe('B')
  expect(announcedGrade('B', 8249, 50)).toBe('B-')
})

test('a fall through several grades is announced as the grade it ended in', () => {
  expect(announcedGrade('A', 4000, 50)).toBe('F')
})
