import { expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { ask, framesOf, textOf } from '../testing/support.ts'
import { say, streamed } from '../testing/upstream.ts'

const here = withProvider('restoration')
const question = 'Write to anna@example.org'
const said = 'To [EMAIL_1], not to ⟦EMAIL_7⟧.'
const shown = 'To anna@example.org, not to ⟦EMAIL_7⟧.'

async function restorationOf(id: string) {
  const { data } = expectStatus(await here.tenant.admin.get(`/gateway/requests/${id}`), 200).body
  const { decision, approximate } = data.steps.find(({ n }: { n: number }) => n === 13)
  const told = data.security.policy_violations.filter(({ step }: { step: string }) => step === 'restoration')
  return { decision, approximate, told }
}

const invented = {
  rule_id: 'unknown-placeholder',
  category: 'placeholder',
  action: 'flag',
  count: 1,
  location: '/choices/0/message/content',
}

test('a placeholder that the model made up stays and is flagged, one that it changed is restored and counted', async () => {
  here.upstream.reply(say(said))
  const { data } = expectStatus(await ask(here.tenant.admin, question), 200).body
  expect(data.choices[0].message.content).toBe(shown)
  expect(await restorationOf(data.id)).toMatchObject({ decision: 'flag', approximate: 1, told: [invented] })
})

test('so in a stream', async () => {
  here.upstream.reply(streamed([...said]))
  const frames = framesOf(expectStatus(await ask(here.tenant.admin, question, { stream: true }), 200).text)
  expect(textOf(frames)).toBe(shown)
  const id = frames.find(({ event }) => event === 'chunk')?.data.data.id
  expect(await restorationOf(id)).toMatchObject({ approximate: 1, told: [invented] })
})

test('placeholders as they were given out are nothing to tell', async () => {
  here.upstream.reply(say('To ⟦EMAIL_1⟧.'))
  const { data } = expectStatus(await ask(here.tenant.admin, question), 200).body
  expect(await restorationOf(data.id)).toEqual({ decision: 'allow', approximate: undefined, told: [] })
})
