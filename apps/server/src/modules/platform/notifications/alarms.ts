/**
 * Events of all modules that people have to hear of, each with whoever holds the permission to act on it. The last link from
 * a blocked attack to a person. Tested in alarms.test.ts and apps/server/test/system.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { isAtLeast, severityOf } from '../declared/words.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { type Raising, raise } from './raise.ts'

type Alarm = (event: LoggedEvent) => Omit<Raising, 'source'> | null

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const ids = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const alarms: Readonly<Record<string, Alarm>> = {
  'aegis.alert.created': ({ data, subject }) => {
    const severity = severityOf(data.severity)
    if (!isAtLeast(severity, 'high')) return null
    const requests = ids(data.request_ids)
    return {
      ...{ category: 'alert', severity, title: `Alert: ${text(data.title)}` },
      body: `A detection rule opened the alert ${subject}.${requests.length === 0 ? '' : ` Requests: ${requests.slice(0, 10).join(', ')}.`}`,
      recipients: { permission: 'aegis:write' },
      resource: { module: 'aegis', type: 'alert', id: subject, url: `/aegis/alerts/${subject}` },
      ...{ groupKey: `aegis.alert/rule/${text(data.rule_id)}`, dedupKey: `aegis.alert/${subject}` },
    }
  },
  'aegis.kill_switch.activated': (event) => killSwitch(event, 'activated'),
  'aegis.kill_switch.deactivated': (event) => killSwitch(event, 'ended'),
  'trust.grade.changed': ({ data }) => {
    const isDown = data.direction === 'down'
    return {
      ...{ category: 'trust', severity: isDown ? 'high' : 'info' },
      title: `The trust grade ${isDown ? 'fell' : 'rose'} from ${text(data.from)} to ${text(data.to)}`,
      body: `The score is ${number(data.score)}. The explanation names what moved it.`,
      recipients: { permission: 'trust:write' },
      resource: { module: 'trust', type: 'snapshot', id: text(data.snapshot_id), url: '/trust' },
      dedupKey: `trust.grade/${text(data.snapshot_id)}`,
    }
  },
  'compliance.check.failed': ({ data, subject }) => ({
    ...{ category: 'compliance', severity: severityOf(data.severity) },
    title: `Check failed: ${text(data.check_id) || subject}`,
    body: `${number(data.failed)} of ${number(data.population)} did not pass. The evidence is ${text(data.evidence_id)}.`,
    recipients: { permission: 'compliance:write' },
    resource: {
      ...{ module: 'compliance', type: 'evidence', id: text(data.evidence_id) },
      url: `/compliance/evidence/${text(data.evidence_id)}`,
    },
    groupKey: `compliance.check/${text(data.check_id)}`,
  }),
  'platform.approval.requested': ({ data }) => ({
    ...{ category: 'approval', severity: 'high', title: `Approval needed: ${text(data.title) || text(data.step_id)}` },
    body: `The workflow ${text(data.workflow_key)} waits for a decision${data.expires_at === null ? '' : ` until ${text(data.expires_at)}`}.`,
    recipients: { user_ids: [...ids(data.approver_user_ids)], roles: [...ids(data.approver_roles)] },
    resource: { module: 'platform', type: 'run', id: text(data.run_id), url: `/workflows/runs/${text(data.run_id)}` },
    dedupKey: `platform.approval/${text(data.run_id)}/${text(data.step_id)}`,
  }),
  'platform.workflow.failed': ({ data }) => ({
    ...{ category: 'workflow', severity: 'medium', title: `Workflow failed: ${text(data.key)}` },
    body: `The step ${text(data.failed_step) || 'of the start'} failed (${text(data.error_code) || 'no code'}). It can be retried from there.`,
    recipients: { user_ids: [text(data.owner_id)] },
    resource: { module: 'platform', type: 'run', id: text(data.run_id), url: `/workflows/runs/${text(data.run_id)}` },
    groupKey: `platform.workflow/${text(data.workflow_id)}`,
  }),
  'platform.delivery.dead_lettered': ({ data, subject }) =>
    data.integration_id === null
      ? null
      : {
          ...{ category: 'integration', severity: 'medium', title: 'A delivery was given up' },
          body: `All ${number(data.attempts)} attempts of the delivery ${subject} failed: ${text(data.last_error)}. It can be replayed.`,
          recipients: { permission: 'platform:admin' },
          resource: {
            ...{ module: 'platform', type: 'integration', id: text(data.integration_id) },
            url: `/integrations/${text(data.integration_id)}`,
          },
          groupKey: `platform.delivery/${text(data.integration_id)}`,
        },
  'platform.integration.disabled': ({ data, subject }) => ({
    ...{ category: 'integration', severity: 'high', title: `Integration disabled: ${text(data.name)}` },
    body: text(data.reason),
    recipients: { permission: 'platform:admin' },
    resource: { module: 'platform', type: 'integration', id: subject, url: `/integrations/${subject}` },
  }),
  'iam.session.refresh_reuse_detected': ({ data, subject }) => ({
    ...{ category: 'account_security', severity: 'critical', title: 'A session of your account was ended' },
    body: 'A refresh token was used twice, as happens when it was stolen. Change your password and look at your sessions.',
    recipients: { user_ids: [text(data.user_id)] },
    dedupKey: `iam.session/${subject}`,
  }),
  'iam.credential.changed': ({ data }) => ({
    ...{ category: 'account_security', severity: 'medium', title: 'A credential of your account was changed' },
    body: `${text(data.credential).replaceAll('_', ' ')}: ${text(data.change)}. If this was not you, tell an administrator.`,
    recipients: { user_ids: [text(data.user_id)] },
    groupKey: `iam.credential/${text(data.user_id)}`,
  }),
}

function killSwitch({ data, subject }: LoggedEvent, word: string): Omit<Raising, 'source'> {
  const about = data.value === null ? text(data.scope) : `${text(data.scope)} ${text(data.value)}`
  return {
    ...{ category: 'kill_switch', severity: word === 'activated' ? 'critical' : 'high' },
    title: `Kill switch ${word}: ${about}`,
    body: text(data.reason),
    recipients: { permission: 'gateway:write' },
    resource: { module: 'gateway', type: 'kill_switch', id: subject, url: '/gateway/kill-switches' },
    dedupKey: `aegis.kill_switch/${subject}/${word}`,
  }
}

export const raiseAlarms: EventHandlerDeclaration<PlatformServices> = {
  name: 'platform.alarms',
  channels: Object.keys(alarms),
  handle: async ({ tx, events, services }) => {
    for (const event of events) await raiseFor(services, tx, event)
  },
}

/** An event that nobody may hear of raises nothing. */
async function raiseFor(services: PlatformServices, tx: Tx, event: LoggedEvent): Promise<void> {
  const alarm = alarms[event.channel]?.(event)
  if (alarm !== null && alarm !== undefined) await raise(services, tx, { ...alarm, source: 'system' })
}
