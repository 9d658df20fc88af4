/**
 * Maps each audit action to the Open Cybersecurity Schema Framework: the class of the event and the activity within
 * it. Every action the program writes is listed here or ends in a verb that maps it; acts.test.ts reads them from the
 * sources and fails on a missing, obsolete or redundant one. Actions that no build writes any more are exported as
 * API calls.
 */
import type { Activity, ClassName } from './classes.ts'

/** Class and activity, which is one of that class. */
export type Act = { readonly [C in ClassName]: readonly [C, Activity<C>] }[ClassName]

const logon = ['authentication', 'logon'] as const
const logoff = ['authentication', 'logoff'] as const
const user = <A extends Activity<'user_management'>>(activity: A) => ['user_management', activity] as const
const group = <A extends Activity<'group_management'>>(activity: A) => ['group_management', activity] as const
const role = <A extends Activity<'role_management'>>(activity: A) => ['role_management', activity] as const
const created = ['api_activity', 'create'] as const
const read = ['api_activity', 'read'] as const
const updated = ['api_activity', 'update'] as const
const deleted = ['api_activity', 'delete'] as const
const done = ['api_activity', 'other'] as const

const signIn: Readonly<Record<string, Act>> = {
  'auth.bootstrap': user('create'),
  'auth.break_glass': logon,
  'auth.email_change': user('update'),
  'auth.email_change_ask': user('update'),
  'auth.invitation_accept': user('enable'),
  'auth.login': logon,
  'auth.login_failed': logon,
  'auth.login_spraying': done,
  'auth.logout': logoff,
  'auth.mfa.add': user('mfa_factor_enable'),
  'auth.mfa.recovery_codes': user('mfa_factor_enable'),
  'auth.mfa.remove': user('mfa_factor_disable'),
  'auth.mfa.start': user('other'),
  'auth.passkey_login': logon,
  'auth.password_change': user('password_change'),
  'auth.password_forgotten': user('password_reset'),
  'auth.password_reset': user('password_reset'),
  'auth.profile_change': user('update'),
  'auth.refresh': ['authentication', 'service_ticket_renew'],
  'auth.refresh_reuse': ['authentication', 'service_ticket_renew'],
  'auth.sso': logon,
  'auth.sso_logout': logoff,
  'auth.step_up': logon,
  'iam.session.end': logoff,
}

const people: Readonly<Record<string, Act>> = {
  'iam.scim.bulk': done,
  'iam.scim.me': done,
  'iam.scim.group_change': group('update_group'),
  'iam.scim.group_create': group('create'),
  'iam.scim.group_remove': group('delete'),
  'iam.role.change': role('update'),
  'iam.role.create': role('create'),
  'iam.role.delete': role('delete'),
  'iam.role.preview': read,
  'iam.scim.search': read,
  'iam.scim.sync_failed': done,
  'iam.scim.user_change': user('update'),
  'iam.signal.refused': done,
  'iam.scim.user_create': user('create'),
  'iam.scim.user_remove': user('delete'),
  'iam.sso_identity.link': user('other'),
  'iam.user.change': user('update'),
  'iam.user.create': user('create'),
  'iam.user.deactivate': user('disable'),
  'iam.user.dormant_suspend': user('disable'),
  'iam.user.dormant_warn': user('other'),
  'iam.user.erase': user('delete'),
  'iam.user.expire': user('disable'),
  'iam.user.import': user('create'),
  'iam.user.invite_again': user('other'),
  'iam.user.lock': user('lock'),
  'iam.user.provision': user('create'),
  'iam.user.reset_credentials': user('password_reset'),
  'iam.user.unlock': user('unlock'),
}

const things: Readonly<Record<string, Act>> = {
  'access.refuse': done,
  'admin.audit.cut': deleted,
  'admin.audit.export': read,
  'admin.audit.verify': read,
  'admin.backup.complete': created,
  'admin.backup.copy': created,
  'admin.backup.expire': deleted,
  'admin.backup.replace': updated,
  'admin.backup.restore': done,
  'admin.backup.verify': read,
  'admin.flag.evaluate': read,
  'admin.flag.import': created,
  'admin.flag.schedule_dropped': updated,
  'admin.flag.scheduled': updated,
  'admin.job.cancel': done,
  'admin.job.retry': done,
  'admin.keys.rotate': updated,
  'admin.license.install': created,
  'aegis.approval.consume': updated,
  'aegis.approval.decide': updated,
  'aegis.approval.request': created,
  'aegis.guardrail.evaluate': read,
  'aegis.guardrail.rollout': updated,
  'aegis.mcp.call': done,
  'aegis.mcp.end': done,
  'aegis.mcp_server.scan': read,
  'aegis.session.kill': updated,
  'compliance.evidence.download': read,
  'gateway.budget.recover': updated,
  'gateway.cache.purge': deleted,
  'gateway.count_tokens': done,
  'gateway.policy.publish': updated,
  'gateway.policy.simulate': read,
  'gateway.provider.rotate_secret': updated,
  'gateway.provider.test': done,
  'gateway.request': done,
  'gateway.request.feedback': updated,
  'gateway.request.intent': done,
  'gateway.request.read_original': read,
  'gateway.request.recover': updated,
  'gateway.request.replay': done,
  'gateway.requests.export': read,
  'gateway.requests.export.complete': read,
  'gateway.requests.export.download': read,
  'gateway.vault.reveal': read,
  'iam.access.evaluate': read,
  'iam.access.search': read,
  'iam.access_review.change': updated,
  'iam.access_review.close': updated,
  'iam.access_review.open': created,
  'iam.access_review.remind': done,
  'iam.api_key.change': updated,
  'iam.api_key.create': created,
  'iam.api_key.revoke': deleted,
  'iam.api_key.rotate': updated,
  'iam.outside_token.create': created,
  'iam.outside_token.remove': deleted,
  'iam.sso_connection.change': updated,
  'iam.sso_connection.create': created,
  'iam.sso_connection.delete': deleted,
  'iam.sso_connection.test': done,
  'iam.sso_connection.trial': done,
  'iam.tenant.change': updated,
  'iam.tenant.create': created,
  'iam.tenant.delete': deleted,
  'iam.tenant.deleted': deleted,
  'iam.tenant.export': read,
  'iam.tenant.export.complete': read,
  'iam.tenant.export.download': read,
  'iam.tenant.shred': deleted,
  'kill_switch.activate': created,
  'kill_switch.deactivate': deleted,
  'resilience.experiment.act': updated,
  'resilience.experiment.end': updated,
  'resilience.simulation.cancel': updated,
  'risk.kri.measure': updated,
  'risk.register.quantify': updated,
  'risk.register.upkeep': updated,
  'risk.simulation.cancel': done,
  'risk.threats.import': created,
  'stream.subscribe': read,
  'svc_ai.conversation.chat': done,
  'svc_ai.rag.query': read,
  'svc_ai.source.index': updated,
  'trust.recalculate': done,
  'trust.simulate': read,
}

export const acts: ReadonlyMap<string, Act> = new Map(Object.entries({ ...signIn, ...people, ...things }))

/** Activity by the last word of an action, for actions that are not listed above. */
export const verbs: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['create', created],
  ['update', updated],
  ['change', updated],
  ['retire', updated],
  ['expire', updated],
  ['delete', deleted],
  ['remove', deleted],
])

/** Every identity action has a class of its own, so none is classified by its last word. */
const isOfIdentity = /^(?:iam|auth|access)\./

/** The class of an action by its name; undefined where neither it nor its last word is known. */
export function knownAct(action: string): Act | undefined {
  return acts.get(action) ?? (isOfIdentity.test(action) ? undefined : verbs.get(action.split('.').at(-1) ?? ''))
}

/** Class and activity under which an action's entry is exported. */
export const actOf = (action: string): Act => knownAct(action) ?? done
