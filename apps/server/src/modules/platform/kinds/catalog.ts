/** Every kind of integration, as the catalog shows it. */
import type { IntegrationKind } from '../declared/integration-schema.ts'
import { emailSmtp } from './email.ts'
import { jira } from './jira.ts'
import type { KindDefinition } from './kind.ts'
import { ocsfHttp } from './ocsf.ts'
import { openlineage } from './openlineage.ts'
import { pagerduty } from './pagerduty.ts'
import { postgres } from './postgres.ts'
import { s3 } from './s3.ts'
import { slack } from './slack.ts'
import { splunkHec } from './splunk.ts'
import { syslog } from './syslog.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

const all: Readonly<Record<IntegrationKind, KindDefinition>> = {
  email_smtp: emailSmtp,
  webhook,
  slack,
  teams,
  pagerduty,
  jira,
  splunk_hec: splunkHec,
  syslog,
  ocsf_http: ocsfHttp,
  openlineage,
  postgres,
  s3,
}

export const kindOf = (kind: IntegrationKind): KindDefinition => all[kind]

/** Of `GET /integrations?catalog=true`: what forms are built from. */
export const catalog = Object.values(all).map(({ kind, title, description, config, credentials, sends }) => ({
  ...{ kind, title, description, sends },
  config_schema: config,
  credentials_schema: credentials,
}))
