import { expect, test } from 'vitest'
import { printedSteps } from './start-steps.ts'

function recorder() {
  const lines: string[] = []
  let now = 0
  return {
    lines,
    pass: (ms: number): void => {
      now += ms
    },
    output: { write: (text: string) => void lines.push(text), now: () => now },
  }
}

test('a step is named before it runs and timed when it ends', async () => {
  const { lines, pass, output } = recorder()
  const step = printedSteps(output)
  const result = await step('Opening the database', async () => {
    expect(lines).toEqual(['Opening the database … '])
    pass(1234)
    return 7
  })
  expect(result).toBe(7)
  expect(lines).toEqual(['Opening the database … ', '1.2 s\n'])
})

test('a step that fails says so and keeps its error', async () => {
  const { lines, pass, output } = recorder()
  const failing = printedSteps(output)('Preparing the schema', async () => {
    pass(500)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(lines.join('')).toBe('Preparing the schema … failed after 0.5 s\n')
})
