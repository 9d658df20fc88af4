import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TinyModel, tinyOnnxModel } from '../../test/fixtures/tiny-onnx-model.ts'
import { wordPieceTokenizer, wordPieceVocabulary } from '../../test/fixtures/tiny-tokenizers.ts'
import { type OnnxClassifier, type OnnxClassifierOptions, openOnnxClassifier } from './onnx.ts'

const packages = ['@huggingface/tokenizers', 'onnxruntime-node']
const missing: string[] = []
for (const name of packages) await import(/* @vite-ignore */ name).catch(() => missing.push(name))

const never = new AbortController().signal
let folder = ''
let tokenizerPath = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onnx-'))
  tokenizerPath = join(folder, 'tokenizer.json')
  await writeFile(tokenizerPath, JSON.stringify(wordPieceTokenizer))
})
afterAll(() => rm(folder, { recursive: true }))

/** Every "attack" adds 3 to the second logit, "harmless" takes 1 from it, [PAD] would add 50. */
const table = Object.keys(wordPieceVocabulary).map((piece) => [
  0,
  { attack: 3, harmless: -1, '[PAD]': 50, '[CLS]': -2 }[piece] ?? 0,
])
const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

async function written(model: TinyModel): Promise<string> {
  const path = join(folder, `${Math.random()}.onnx`)
  await writeFile(path, tinyOnnxModel(model))
  return path
}

async function opened(model: TinyModel, options: Partial<OnnxClassifierOptions> = {}): Promise<OnnxClassifier> {
  return openOnnxClassifier({ modelPath: await written(model), tokenizerPath, labelIndex: 1, ...options })
}

test('settings that make no sense are refused before anything is loaded', async () => {
  for (const options of [{ labelIndex: -1 }, { labelIndex: [] }, { maxTokens: 4 }, { batch: 0 }, { labelIndex: 0.5 }])
    await expect(opened({ table }, options)).rejects.toMatchObject({ reason: 'not-usable' })
})

describe.skipIf(missing.length > 0)(`with ${packages.join(' and ')}`, () => {
  test('a text gets the softmax of the label asked for', async () => {
    const classifier = await opened({ table }, { name: 'tiny' })
    expect(classifier).toMatchObject({ name: 'tiny', maxTokens: 512 })
    const [one, two, none] = await classifier.classify(['attack', 'attack a attack', ''], never)
    // Softmax of (0, x) is the logistic function of x; [CLS] adds -2.
    expect(one).toBeCloseTo(sigmoid(1), 6)
    expect(two).toBeCloseTo(sigmoid(4), 6)
    expect(none).toBeCloseTo(sigmoid(-2), 6)
    await classifier.close()
  })

  test('padding changes no score', async () => {
    const texts = ['attack', 'a', 'attack a a harmless a a', 'harmless '.repeat(40), 'attack attack']
    const together = await opened({ table }, { batch: 8 })
    const alone = await opened({ table }, { batch: 1 })
    expect(await together.classify(texts, never)).toEqual(await alone.classify(texts, never))
  })

  test('a model without a mask is run row by row', async () => {
    const classifier = await opened({ table, masked: false }, { batch: 8 })
    const [one, many] = await classifier.classify(['attack', 'a '.repeat(60)], never)
    expect(one).toBeCloseTo(sigmoid(1), 6)
    expect(many).toBeCloseTo(sigmoid(-2), 6)
  })

  test('an attack anywhere in a long text counts as if it stood alone in its window', async () => {
    const classifier = await opened({ table }, { maxTokens: 32 })
    for (const before of [0, 1, 29, 30, 31, 200, 331]) {
      const text = `${'a '.repeat(before)}attack ${'a '.repeat(331 - before)}`
      const [score] = await classifier.classify([text], never)
      expect(score).toBeCloseTo(sigmoid(1), 6)
    }
  })

  test('several labels add up', async () => {
    const classifier = await opened({ table: table.map(([, logit = 0]) => [0, logit, 1]) }, { labelIndex: [1, 2] })
    const [score] = await classifier.classify(['attack'], never)
    // [CLS], "attack" and [SEP] add 1 each to the third logit: (0, 1, 3).
    expect(score).toBeCloseTo((Math.E + Math.E ** 3) / (1 + Math.E + Math.E ** 3), 6)
  })

  test('a single output is read through the logistic function', async () => {
    const classifier = await opened({ table: table.map(([, logit = 0]) => [logit]) }, { labelIndex: 0 })
    expect((await classifier.classify(['attack'], never))[0]).toBeCloseTo(sigmoid(1), 6)
  })

  test('32-bit inputs are fed as such', async () => {
    const classifier = await opened({ table, inputType: 6 })
    expect((await classifier.classify(['attack'], never))[0]).toBeCloseTo(sigmoid(1), 6)
  })

  test('a text of too many windows is refused, however its tokens fall', async () => {
    const classifier = await opened({ table }, { maxTokens: 32, maxWindows: 4 })
    for (const text of ['attack '.repeat(500), 'x'.repeat(1_000_000), '['.repeat(2_000)])
      await expect(classifier.classify(['a', text], never)).rejects.toMatchObject({ reason: 'too-long' })
  })

  test('an abort ends the wait', async () => {
    const classifier = await opened({ table })
    const controller = new AbortController()
    const work = classifier.classify(['attack '.repeat(8_000)], controller.signal)
    controller.abort(new Error('gone'))
    await expect(work).rejects.toThrow('gone')
    await expect(classifier.classify(['a'], controller.signal)).rejects.toThrow('gone')
    expect(await classifier.classify(['a'], never)).toHaveLength(1)
  })

  test('too many callers at once are told so and the others are served', async () => {
    const classifier = await opened({ table }, { maxWaiting: 2 })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => classifier.classify(['attack'], never)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'busy' })
    expect(await classifier.classify(['attack'], never)).toHaveLength(1)
  })

  test('a file that is absent or no model is a clear error', async () => {
    const absent = { modelPath: join(folder, 'nothing.onnx'), tokenizerPath, labelIndex: 1 }
    await expect(openOnnxClassifier(absent)).rejects.toThrow('nothing.onnx is absent')
    await expect(openOnnxClassifier({ ...absent, modelPath: tokenizerPath })).rejects.toThrow('not a model')
  })

  test('a model that does not fit is refused when it is opened', async () => {
    await expect(opened({ table, inputName: 'pixel_values' })).rejects.toThrow('needs the input pixel_values')
    await expect(opened({ table }, { labelIndex: 2 })).rejects.toThrow('has 2 labels only')
    // A table of fewer tokens than the tokenizer has: every row with the others would fail.
    await expect(opened({ table: table.slice(0, 3) })).rejects.toThrow('it fails on 2 windows of up to 512 tokens')
  })

  test('logits that are no numbers are an error, not a score', async () => {
    const broken = table.map(([zero = 0, logit = 0], id) => [
      zero,
      id === wordPieceVocabulary.attack ? Number.NaN : logit,
    ])
    const classifier = await opened({ table: broken })
    await expect(classifier.classify(['attack'], never)).rejects.toMatchObject({ reason: 'invalid-answer' })
  })
})
