import { expect, test } from 'vitest'
import { alternative } from '../../../../kernel/documents/charts.ts'
import { drawingOf } from '../../../../kernel/documents/drawing.ts'
import { chartsOf } from './charts.ts'
import { sectionOf } from './document.ts'

const checks = ['pass', 'fail', 'pass'].map((outcome, index) => ({ id: `c${index}`, outcome }))

test('rows are counted by a column, and one value alone is no chart', () => {
  const section = (rows: readonly object[]) =>
    sectionOf({ name: 'compliance.checks', description: '', data: { checks: rows } })
  expect(section(checks).charts).toEqual([
    {
      ...{ form: 'bars', title: 'Coverage of controls by checks' },
      bars: [
        { label: 'fail', value: 1 },
        { label: 'pass', value: 2 },
      ],
    },
  ])
  expect(section(checks.slice(2)).charts).toEqual([])
})

test('a line runs in the order of time, from 0, and its text names ends and extremes', () => {
  const days = [3, 1, 2].map((day) => ({ calculated_at: `2026-01-0${day}T00:00:00.000Z`, score: day * 10 }))
  const { figures, tables } = sectionOf({ name: 'trust.history', description: '', data: { days } })
  const [chart] = chartsOf('trust.history', { figures, tables })
  if (chart?.form !== 'line') throw new Error('not a line')
  expect(chart.points.map(({ y }) => y)).toEqual([10, 20, 30])
  expect(alternative(chart)).toBe(
    'Trust score: Score by Calculated at in 3 points, from 10 at 2026-01-01 to 30 at 2026-01-03, least 10 at 2026-01-01, most 30 at 2026-01-03',
  )
  const { shapes, width, height } = drawingOf(chart)
  const path = shapes.find((shape) => shape.form === 'path' && shape.tone === 'line')
  expect(path).toMatchObject({
    points: [
      [60, 103.33],
      [270, 56.67],
      [480, 10],
    ],
  })
  for (const shape of shapes)
    if (shape.form === 'text') expect(shape.x >= 0 && shape.x <= width && shape.y <= height).toBe(true)
})
