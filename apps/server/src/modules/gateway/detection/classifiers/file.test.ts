import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/base/clock.ts'
import { loadConfig } from '../../../../kernel/config/load.ts'
import { createEgress } from '../../../../kernel/egress/fetch.ts'
import { createClassifiers } from './classifiers.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-classifiers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function written(content: unknown): string {
  const path = join(folder, `${++files}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function opened(content: unknown) {
  const clock = systemClock()
  const egress = createEgress({ allowedPrivate: ['10.0.0.0/8'], ports: [], now: () => clock.monotonic() })
  const config = loadConfig({ PARAPET_GATEWAY_CLASSIFIERS_FILE: written(content) })
  return createClassifiers({ config, egress, clock })
}

const http = {
  name: 'guard',
  kind: 'http',
  url: 'http://10.1.2.3:8080/classify',
  request: { inputs: '{{texts}}' },
  score: { items: '/scores', at: '' },
  max_tokens: 512,
}
const onnx = {
  name: 'local',
  kind: 'onnx',
  model_file: '/nowhere/model.onnx',
  tokenizer_file: '/nowhere/t.json',
  labels: [1],
}

const embeddings = {
  name: 'meanings',
  kind: 'embeddings',
  url: 'http://10.1.2.3:8080/embeddings',
  request: { input: '{{texts}}' },
  vectors: { items: '/data', at: '/embedding' },
}

describe('the file of classifiers', () => {
  test('names what policies may ask; without a file there is none', () => {
    expect([...opened([http, onnx]).names]).toEqual(['guard', 'local'])
    expect(opened([http]).find('guard')).toMatchObject({ name: 'guard', askFrom: 0 })
    expect(opened([]).find('guard')).toBeNull()
    const clock = systemClock()
    const egress = createEgress({ allowedPrivate: [], ports: [], now: () => 0 })
    expect(createClassifiers({ config: loadConfig({}), egress, clock }).names.size).toBe(0)
  })

  test('names no model of meanings to those who look for attacks', () => {
    const { names, topicModel } = opened([http, embeddings])
    expect([...names]).toEqual(['guard'])
    expect(topicModel).not.toBeNull()
    expect(opened([http]).topicModel).toBeNull()
  })

  test.each([
    ['no JSON', 'half {', 'cannot be read as JSON'],
    ['no list', { classifiers: [] }, 'holds no JSON list'],
    ['an unknown kind', [{ ...http, kind: 'grpc' }], '0/kind: must be http, onnx or embeddings'],
    ['an unknown field', [{ ...http, timeout: 5 }], '0/timeout: There is no such field'],
    ['a name used twice', [http, http], '1/name: is used twice'],
    ['an address the guard refuses', [{ ...http, url: 'http://192.168.0.1/' }], '0: the network guard refuses'],
    ['a request without a place for texts', [{ ...http, request: {} }], '0: This HTTP classifier cannot work'],
    ['vectors of no text', [{ ...embeddings, request: {} }], '0: request holds no "{{texts}}"'],
    ['two models of meanings', [embeddings, { ...embeddings, name: 'more' }], '1/kind: embeddings are there already'],
    ['vectors from an address that is refused', [{ ...embeddings, url: 'http://8.8.8.8/' }], '0: the network guard'],
    [
      'a table that falls',
      [
        {
          ...http,
          calibration: [
            [0, 1],
            [1, 0],
          ],
        },
      ],
      '0: A score table has scores that never fall',
    ],
    [
      'a credential that is not there',
      [{ ...http, authorization_file: '/nowhere' }],
      '0: authorization_file cannot be read',
    ],
  ])('with %s starts nothing', (_what, content, words) => {
    expect(() => opened(content)).toThrow(words)
  })

  test('tells all that is wrong at once and quotes nothing', () => {
    const secret = { ...http, headers: { authorization: 'Bearer hunter2' }, max_tokens: 0 }
    const refused = () => opened([secret, { ...onnx, labels: [] }])
    expect(refused).toThrow(/0\/max_tokens: [\s\S]*1\/labels: /)
    expect(refused).not.toThrow('hunter2')
  })

  test('with a model that is not there ends the start with words', async () => {
    const { opening } = opened([onnx])
    await expect(opening.start()).rejects.toThrow('/nowhere/')
  })
})
