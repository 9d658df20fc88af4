import { expect, test } from 'vitest'
import { type CascadeOptions, cascade } from './cascade.ts'
import { type Classifier, ClassifierError } from './classifier.ts'
import { createScoreTable } from './score-table.ts'

interface Model extends Classifier {
  readonly asked: string[]
}

function modelThat(answer: (texts: readonly string[], signal: AbortSignal) => Promise<number[]>): Model {
  const asked: string[] = []
  const classify: Classifier['classify'] = (texts, signal) => {
    asked.push(...texts)
    return answer(texts, signal)
  }
  return { name: 'big', maxTokens: 512, asked, classify }
}

const calibration = createScoreTable([
  [0, 0],
  [0.5, 0.1],
  [1, 0.9],
])

function cascadeOf(classifier: Classifier, options: Partial<CascadeOptions> = {}) {
  return cascade({ band: [0.3, 0.9], classifier, calibration, onFailure: 'open', timeoutMs: 10_000, ...options })
}

test('outside the band the model is never asked', async () => {
  const model = modelThat(async () => [1])
  const { decide } = cascadeOf(model)
  for (const score of [0, 0.299, 0.9, 1, Number.NaN])
    expect(await decide('text', score)).toEqual({ score, decidedBy: 'built-in' })
  expect(model.asked).toEqual([])
})

test('inside the band the calibrated answer decides, up or down', async () => {
  const model = modelThat(async ([text]) => [text === 'bad' ? 1 : 0.25])
  const { decide } = cascadeOf(model)
  expect(await decide('bad', 0.3)).toEqual({
    score: 0.9,
    decidedBy: 'external',
    external: { name: 'big', raw: 1, calibrated: 0.9 },
  })
  // 0.25 is half way from 0 to 0.5, its score half way from 0 to 0.1.
  expect(await decide('good', 0.89)).toMatchObject({ score: 0.05, decidedBy: 'external' })
})

test('with a share both layers count in log-odds', async () => {
  const { decide } = cascadeOf(
    modelThat(async () => [1]),
    { externalShare: 0.5 },
  )
  // Odds of 0.9 are 9, of 0.5 are 1; their geometric mean is 3, that is 3 / (1 + 3).
  expect((await decide('text', 0.5)).score).toBeCloseTo(0.75, 12)
})

test('a failure keeps the built-in score when open and answers 1 when closed', async () => {
  const model = modelThat(() => Promise.reject(new ClassifierError('resting', 'no')))
  expect(await cascadeOf(model).decide('text', 0.5)).toEqual({ score: 0.5, decidedBy: 'built-in', failure: 'resting' })
  expect(await cascadeOf(model, { onFailure: 'closed' }).decide('text', 0.5)).toEqual({
    score: 1,
    decidedBy: 'external',
    failure: 'resting',
  })
})

test('a model that throws at once or anything else counts as unavailable', async () => {
  const model = modelThat(() => {
    throw new TypeError('broken')
  })
  expect(await cascadeOf(model).decide('text', 0.5)).toMatchObject({ score: 0.5, failure: 'unavailable' })
})

test('a model that ignores its signal is not waited for', async () => {
  const stuck = modelThat(() => new Promise(() => undefined))
  const { decide } = cascadeOf(stuck, { deadline: () => AbortSignal.abort() })
  expect(await decide('text', 0.5)).toMatchObject({ score: 0.5, failure: 'timeout' })
  const slow = cascadeOf(stuck, { timeoutMs: 5, onFailure: 'closed' })
  expect(await slow.decide('text', 0.5)).toMatchObject({ score: 1, failure: 'timeout' })
})

test.each([[[]], [[Number.NaN]], [[1.2]], [[-0.1]], [[0.1, 0.2]]])('%j is no answer', async (answer) => {
  const { decide } = cascadeOf(modelThat(async () => answer))
  expect(await decide('text', 0.5)).toMatchObject({ decidedBy: 'built-in', failure: 'invalid-answer' })
})

test('the caller hanging up is not a failure of the model', async () => {
  const controller = new AbortController()
  const { decide } = cascadeOf(
    modelThat(() => {
      controller.abort(new Error('hung up'))
      return new Promise(() => undefined)
    }),
  )
  await expect(decide('text', 0.5, controller.signal)).rejects.toThrow('hung up')
  await expect(decide('text', 0.5, controller.signal)).rejects.toThrow('hung up')
})

test('settings that make no sense are refused', () => {
  const model = modelThat(async () => [0])
  expect(() => cascadeOf(model, { band: [0.9, 0.3] })).toThrow(RangeError)
  expect(() => cascadeOf(model, { band: [0, 1.1] })).toThrow(RangeError)
  expect(() => cascadeOf(model, { timeoutMs: Number.NaN })).toThrow(RangeError)
  expect(() => cascadeOf(model, { externalShare: 2 })).toThrow(RangeError)
})
