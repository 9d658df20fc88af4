/** Topics of a policy, through the chat route, with an embedding model on a local port. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { piecesOf } from '../detection/topics/pieces.ts'
import { hashedVector } from '../providers/adapters/echo/embed.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask, framesOf, textOf } from '../testing/support.ts'
import { fail, hang, openUpstream, type Reply, raw, say, streamed, type Upstream } from '../testing/upstream.ts'

/** Vectors that are similar if texts share words, which is enough meaning for these tests. */
const vectors: Reply = (response, { body }) => {
  const data = body.input.map((text: string) => ({ embedding: hashedVector(text) }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ data }))
}

let folder: string
let world: World
let tenant: TestTenant
let model: Upstream
let embeddings: Upstream

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-topics-'))
  embeddings = await openUpstream()
  embeddings.reply(vectors)
  writeFileSync(join(folder, 'token'), 'Bearer embeddings-token\n')
  const entry = {
    ...{ name: 'meanings', kind: 'embeddings', url: `${embeddings.url}/embeddings`, timeout_ms: 5_000, batch: 3 },
    authorization_file: join(folder, 'token'),
    request: { model: 'any', input: '{{texts}}' },
    vectors: { items: '/data', at: '/embedding' },
    calibration: [
      [0, 0],
      [0.5, 0.8],
      [1, 1],
    ],
  }
  writeFileSync(join(folder, 'classifiers.json'), JSON.stringify([entry]))
  world = await openWorld({ environment: { PARAPET_GATEWAY_CLASSIFIERS_FILE: join(folder, 'classifiers.json') } })
  tenant = await world.tenant('topics')
  model = await openUpstream()
  await addProvider(tenant.admin, 'local', model)
})

afterEach(() => {
  embeddings.reply(vectors)
  embeddings.received.splice(0)
  model.received.splice(0)
  model.reply(say('Hello.'))
})

afterAll(async () => {
  await world?.close()
  await model?.close()
  await embeddings?.close()
  rmSync(folder, { recursive: true })
})

const legal = { id: 'legal-advice', examples: ['Can I sue my landlord over the deposit?'], action: 'block' }
const withTopics = (topics: readonly object[], more: object = {}) =>
  onlyPolicy(tenant, { content: { topics }, ...more })
const question = 'Good morning. Can I sue the landlord over my deposit? Thank you.'
const rowOf = async (id: string) => expectStatus(await tenant.admin.get(`/gateway/requests/${id}`), 200).body.data
const sentTexts = () => embeddings.received.flatMap(({ body }) => body.input as string[])

describe('a topic', () => {
  test('stops a question about it that uses other words in between, and no other question', async () => {
    await withTopics([legal])
    const refused = await ask(tenant.admin, question)
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
    expect(refused.body.detail).toContain('legal-advice')
    expect(refused.body.errors[0].pointer).toBe('/messages/0/content')
    expect(model.received).toEqual([])
    expect((await ask(tenant.admin, 'Which trees grow well beside a river?')).status).toBe(200)
  })

  test('is found behind words that begin like a file', async () => {
    await withTopics([legal])
    expect((await ask(tenant.admin, `data: ${question}`)).body.error_code).toBe('GW-005')
    const file = `data:text/plain;base64,${Buffer.from(question).toString('base64')}`
    embeddings.received.splice(0)
    await ask(tenant.admin, file)
    expect(sentTexts().filter((text) => text.startsWith('data:'))).toEqual([])
  })

  test('is found in what a tool gave back and not in what the application itself says', async () => {
    await withTopics([{ ...legal, action: 'flag' }])
    const system = { role: 'system', content: 'Never answer: can I sue my landlord over the deposit?' }
    const plain = await ask(tenant.admin, '', { messages: [system, { role: 'user', content: 'Hello there' }] })
    expect(plain.body.data.security.policy_violations).toEqual([])
    const call = { id: 'call_1', type: 'function', function: { name: 'mail', arguments: '{}' } }
    const messages = [
      { role: 'user', content: 'Read my mail' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: question },
    ]
    const flagged = await ask(tenant.admin, '', { messages })
    const [violation] = flagged.body.data.security.policy_violations.filter(
      ({ rule_id }: { rule_id: string }) => rule_id === legal.id,
    )
    expect(violation).toMatchObject({ action: 'flag', location: '/messages/2/content', step: 'content_policy' })
  })

  test('is judged on texts without what the policy hides, each of them sent once', async () => {
    await withTopics([legal])
    await ask(tenant.admin, 'Please write to maria.keller@example.com about the garden.')
    expect(sentTexts().join('\n')).toContain('⟦EMAIL_1⟧')
    expect(sentTexts().join('\n')).not.toContain('maria.keller')
    expect(embeddings.received.every(({ authorization }) => authorization === 'Bearer embeddings-token')).toBe(true)
    embeddings.received.splice(0)
    await ask(tenant.admin, 'Please write to maria.keller@example.com about the garden.')
    expect(sentTexts()).toEqual([])
  })

  test('is only noted where the policy only watches', async () => {
    await withTopics([legal], { mode: 'monitor' })
    const answer = await ask(tenant.admin, question)
    expect([answer.status, answer.body.data.mode]).toEqual([200, 'monitor'])
    const row = await rowOf(answer.body.data.id)
    expect(row.security.policy_violations).toMatchObject([{ rule_id: 'legal-advice' }])
  })
})

describe('an answer', () => {
  const onOutput = { ...legal, on: ['output'] }
  const advice = 'You can sue your landlord over the deposit.'

  test('about it is refused as a whole, and as a stream that waits for all of itself', async () => {
    await withTopics([onOutput], { streaming: { mode: 'buffer' } })
    model.reply(say(advice))
    const refused = await ask(tenant.admin, 'And now?')
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-006'])
    model.reply(streamed(advice.split(/(?= )/)))
    const frames = framesOf((await ask(tenant.admin, 'And now?', { stream: true })).text)
    expect(textOf(frames)).toBe('')
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-006' } })
    model.reply(streamed(['An oak ', 'is a tree.']))
    expect(textOf(framesOf((await ask(tenant.admin, 'And now?', { stream: true })).text))).toBe('An oak is a tree.')
  })

  test('about it is refused wherever it stands, and when it is too long to tell', async () => {
    await withTopics([onOutput], { streaming: { mode: 'buffer' } })
    const answered = (message: object) => {
      const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
      model.reply(raw(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices })))
      return ask(tenant.admin, 'And now?')
    }
    const reasoned = await answered({ content: 'Ok.', reasoning_content: advice })
    expect([reasoned.status, reasoned.body.error_code]).toEqual([422, 'GW-006'])
    const long = await answered({
      content: `${'An oak is a tree of the woods and lives for long. '.repeat(4000)}${advice}`,
    })
    expect([long.status, long.body.error_code]).toEqual([422, 'GW-006'])
  })

  test('that streams is noted at its end', async () => {
    await withTopics([{ ...onOutput, action: 'flag' }])
    model.reply(streamed(advice.split(/(?= )/)))
    const frames = framesOf((await ask(tenant.admin, 'And now?', { stream: true })).text)
    expect(textOf(frames)).toBe(advice)
    const done = frames.find(({ event }) => event === 'completed')
    expect(done?.data.data.security.policy_violations).toMatchObject([
      { rule_id: 'legal-advice', step: 'output_inspection', location: '/choices/0/message/content' },
    ])
  })
})

describe('a policy', () => {
  test.each([
    [{ content: { topics: [{ id: 'empty' }] } }, '/document/content/topics/0'],
    [{ content: { topics: [legal, legal] } }, '/document/content/topics/1/id'],
    [{ content: { topics: [{ ...legal, on: ['output'] }] } }, '/document/content/topics/0/action'],
    [{ injection: { classifier: { enabled: true, model: 'meanings' } } }, '/document/injection/classifier/model'],
  ])('that promises what it cannot keep is refused (%#)', async (document, pointer) => {
    const refused = await tenant.admin.post('/gateway/policies', { name: 'bad', document })
    expect([refused.status, refused.body.error_code, refused.body.errors[0].pointer]).toEqual([422, 'GW-026', pointer])
  })

  test('shows its topics with all that was not said', async () => {
    const id = await withTopics([legal])
    const shown = await tenant.admin.get(`/gateway/policies/${id}`)
    const expected = { ...legal, description: '', threshold: 0.8, on: ['input'] }
    expect(shown.body.data.document.content.topics).toEqual([expected])
  })
})

describe('pieces', () => {
  test('hold every word of the text, in their order, and no more than can be about one thing', () => {
    const text = `${'One sentence. '.repeat(40)}${'word '.repeat(200)}。End!`
    const pieces = piecesOf(text)
    expect(pieces.every(({ length }) => length > 0 && length <= 400)).toBe(true)
    expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    expect(piecesOf('12 + 34 ...')).toEqual([])
  })
})

describe('without an answer of the embedding model', () => {
  const broken: readonly Reply[] = [fail(500), raw('{"data":[{"embedding":[0,0]}]}'), raw('{"data":[]}'), hang]

  test('because it refuses a text, other texts are still judged', async () => {
    await withTopics([legal])
    embeddings.reply(fail(422))
    for (let at = 0; at < 6; at += 1) await ask(tenant.admin, `A text that it refuses ${at}.`)
    embeddings.reply(vectors)
    expect((await ask(tenant.admin, 'Which trees grow beside the lake?')).status).toBe(200)
  })

  test.each(broken)('nothing passes that has to be judged (%#)', async (reply) => {
    await withTopics([legal])
    embeddings.reply(reply)
    const refused = await ask(tenant.admin, `Nobody has seen this sentence ${broken.indexOf(reply)} yet.`)
    expect([refused.status, refused.body.error_code]).toEqual([503, 'GW-019'])
    expect(model.received).toEqual([])
  })

  test('calls go on where the policy says so, and say that they did', async () => {
    await withTopics([legal], { failure: { content_policy: 'open' } })
    embeddings.reply(fail(500))
    const answer = await ask(tenant.admin, 'Nobody has seen this either.')
    expect(answer.status).toBe(200)
    const row = await rowOf(answer.body.data.id)
    expect(row.fail_open).toEqual(['content_policy'])
    expect(row.steps.find(({ name }: { name: string }) => name === 'content_policy').failed).toBe(true)
  })

  test('the rest of the step is judged all the same', async () => {
    const denied_terms = [{ id: 'project', match: 'word', terms: ['falcon'], action: 'block' }]
    await withTopics([legal], { failure: { content_policy: 'open' }, content: { topics: [legal], denied_terms } })
    embeddings.reply(fail(500))
    const refused = await ask(tenant.admin, 'What became of Falcon?')
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
  })

  test('it is left alone for a while, after five failures in a row', async () => {
    await withTopics([legal])
    const refused = await ask(tenant.admin, 'The model would answer this one.')
    expect(refused.body.error_code).toBe('GW-019')
    expect(embeddings.received).toEqual([])
  })
})
