import { createAutomaton } from '../text/automaton/automaton.ts'
import { uuidBody } from './base/format.ts'

/** Keys without a mark of their own: known by the issuer's name before them and by their shape. */
export interface ContextFormat {
  readonly type: string
  /** Lower case; one must stand in the 80 characters before the value. */
  readonly names: readonly string[]
  readonly shape: RegExp
}

const hex32 = /^[0-9a-f]{32}$/i
const hex40 = /^[0-9a-f]{40}$/i
const hex64 = /^[0-9a-f]{64}$/i
const uuid = new RegExp(`^${uuidBody.source}$`)
const exact = (min: number, max = min): RegExp => new RegExp(`^[\\w-]{${min},${max}}$`)

export const contextFormats: readonly ContextFormat[] = [
  {
    type: 'aws_secret_access_key',
    names: [
      'aws',
      'amazon',
      'secret_access_key',
      'secretaccesskey',
      'secret access key',
      'secret-access-key',
      's3_secret',
    ],
    shape: /^[A-Za-z0-9/+]{40}$/,
  },
  {
    type: 'datadog_key',
    names: ['datadog', 'dd_api', 'dd_app', 'dd-api', 'ddog'],
    shape: /^[0-9a-f]{32}$|^[0-9a-f]{40}$/,
  },
  { type: 'heroku_api_key', names: ['heroku'], shape: uuid },
  { type: 'postmark_token', names: ['postmark'], shape: uuid },
  { type: 'scaleway_secret_key', names: ['scw_', 'scaleway'], shape: uuid },
  { type: 'snyk_token', names: ['snyk'], shape: uuid },
  { type: 'codecov_token', names: ['codecov'], shape: uuid },
  { type: 'pusher_secret', names: ['pusher'], shape: /^[0-9a-f]{20}$/ },
  { type: 'twilio_auth_token', names: ['twilio', 'account_sid'], shape: hex32 },
  {
    type: 'cloudflare_api_key',
    names: ['cloudflare', 'cf_api', 'cf-api', 'x-auth-key'],
    shape: /^[0-9a-f]{37}$|^[\w-]{40}$/,
  },
  { type: 'algolia_key', names: ['algolia'], shape: hex32 },
  { type: 'mailgun_key', names: ['mailgun', 'mg_api'], shape: /^(?:key-)?[0-9a-f]{32}(?:-[0-9a-f]{8}-[0-9a-f]{8})?$/ },
  { type: 'mandrill_key', names: ['mandrill'], shape: exact(22, 25) },
  { type: 'cohere_key', names: ['cohere', 'co_api_key'], shape: exact(40) },
  { type: 'mistral_key', names: ['mistral'], shape: exact(32) },
  { type: 'together_key', names: ['together'], shape: hex64 },
  { type: 'assemblyai_key', names: ['assemblyai', 'assembly_ai'], shape: hex32 },
  { type: 'deepgram_key', names: ['deepgram'], shape: hex40 },
  { type: 'wandb_api_key', names: ['wandb', 'weights'], shape: hex40 },
  { type: 'netlify_token', names: ['netlify'], shape: exact(40, 46) },
  { type: 'vercel_token', names: ['vercel', 'zeit'], shape: exact(24) },
  { type: 'linode_token', names: ['linode', 'hetzner', 'hcloud'], shape: exact(64) },
  { type: 'vultr_key', names: ['vultr'], shape: exact(36) },
  { type: 'okta_token', names: ['okta', 'ssws'], shape: exact(42) },
  { type: 'auth0_secret', names: ['auth0'], shape: exact(64) },
  {
    type: 'azure_key',
    names: ['azure', 'cognitive', 'cosmos', 'ocp-apim'],
    shape: /^[0-9a-f]{32}$|^[A-Za-z0-9+/]{86}==$|^[A-Za-z0-9]{84}$/,
  },
  { type: 'azure_devops_token', names: ['azure_devops', 'azuredevops', 'azdo', 'vsts'], shape: /^[a-z2-7]{52}$/ },
  { type: 'ibm_cloud_key', names: ['ibm', 'bluemix', 'watson'], shape: exact(44) },
  {
    type: 'alibaba_secret_key',
    names: ['alibaba', 'aliyun', 'alicloud', 'accesskeysecret'],
    shape: /^[A-Za-z0-9]{30}$/,
  },
  { type: 'tencent_secret_key', names: ['tencent', 'qcloud'], shape: /^[A-Za-z0-9]{32}$/ },
  { type: 'pagerduty_key', names: ['pagerduty', 'pager_duty', 'pd_api'], shape: /^[\w+-]{20}$|^[0-9a-f]{32}$/ },
  { type: 'opsgenie_key', names: ['opsgenie', 'geniekey'], shape: uuid },
  { type: 'segment_key', names: ['segment'], shape: exact(32) },
  { type: 'mixpanel_secret', names: ['mixpanel', 'amplitude', 'rollbar', 'bugsnag'], shape: hex32 },
  { type: 'circleci_token', names: ['circle'], shape: hex40 },
  { type: 'travis_token', names: ['travis'], shape: exact(22) },
  { type: 'coveralls_token', names: ['coveralls'], shape: /^[A-Za-z0-9]{32,37}$/ },
  { type: 'sonarqube_token', names: ['sonar'], shape: hex40 },
  { type: 'artifactory_key', names: ['artifactory', 'jfrog'], shape: /^[A-Za-z0-9]{64,80}$/ },
  { type: 'bitbucket_secret', names: ['bitbucket'], shape: exact(32, 64) },
  { type: 'jira_token', names: ['jira', 'confluence', 'atlassian'], shape: exact(20, 24) },
  { type: 'asana_token', names: ['asana'], shape: /^[0-9a-f]{32}$|^\d\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32}$/ },
  { type: 'airtable_key', names: ['airtable'], shape: /^key[A-Za-z0-9]{14}$/ },
  { type: 'trello_key', names: ['trello'], shape: /^[0-9a-f]{32}$|^[0-9a-f]{64}$|^ATTA[0-9a-f]{72}$/ },
  { type: 'dropbox_secret', names: ['dropbox'], shape: /^[a-z0-9]{15}$/ },
  { type: 'contentful_token', names: ['contentful'], shape: exact(43) },
  { type: 'zendesk_secret', names: ['zendesk'], shape: exact(40) },
  { type: 'freshdesk_key', names: ['freshdesk', 'freshservice'], shape: exact(18, 22) },
  { type: 'plaid_secret', names: ['plaid'], shape: /^[0-9a-f]{30}$/ },
  { type: 'paypal_secret', names: ['paypal'], shape: exact(80) },
  { type: 'braintree_key', names: ['braintree'], shape: hex32 },
  { type: 'adyen_key', names: ['adyen'], shape: /^AQE[A-Za-z0-9+/=.{}^<>!?@#$%&*-]{40,300}$/ },
  { type: 'binance_key', names: ['binance'], shape: /^[A-Za-z0-9]{64}$/ },
  { type: 'kraken_key', names: ['kraken'], shape: /^[A-Za-z0-9+/]{86}==$/ },
  { type: 'spotify_secret', names: ['spotify'], shape: hex32 },
  { type: 'twitch_secret', names: ['twitch'], shape: /^[a-z0-9]{30}$/ },
  { type: 'facebook_app_secret', names: ['facebook', 'fb_app', 'instagram'], shape: hex32 },
  {
    type: 'twitter_secret',
    names: ['twitter', 'consumer'],
    shape: /^[A-Za-z0-9]{25}$|^[A-Za-z0-9]{50}$|^\d{6,20}-[A-Za-z0-9]{40}$/,
  },
  { type: 'linkedin_secret', names: ['linkedin'], shape: /^[A-Za-z0-9]{16}$/ },
  { type: 'discord_client_secret', names: ['discord'], shape: exact(32) },
  { type: 'vonage_secret', names: ['nexmo', 'vonage', 'plivo', 'messagebird'], shape: /^[A-Za-z0-9]{16,40}$/ },
  { type: 'elastic_key', names: ['elastic'], shape: /^[A-Za-z0-9+/=_-]{40,100}$/ },
  { type: 'confluent_key', names: ['confluent', 'kafka'], shape: /^[A-Z0-9]{16}$|^[A-Za-z0-9+/]{64}$/ },
  { type: 'mongodb_atlas_key', names: ['atlas'], shape: uuid },
  { type: 'splunk_token', names: ['splunk', 'hec'], shape: uuid },
  { type: 'ngrok_token', names: ['ngrok'], shape: /^[A-Za-z0-9]{20,30}_[A-Za-z0-9]{20,24}$/ },
  { type: 'fastly_token', names: ['fastly'], shape: exact(32) },
  { type: 'hubspot_key', names: ['hubspot', 'hapikey'], shape: uuid },
  { type: 'vault_token', names: ['vault'], shape: uuid },
  { type: 'consul_token', names: ['consul', 'nomad'], shape: uuid },
  { type: 'rapid_api_key', names: ['rapidapi', 'rapid_api'], shape: exact(50) },
  { type: 'maxmind_key', names: ['maxmind', 'geoip'], shape: /^[A-Za-z0-9]{16}$/ },
  { type: 'cypress_record_key', names: ['cypress'], shape: uuid },
]

/** How far before a value its issuer's name may stand. */
export const contextReach = 80

// Dropbox's; no shape accepts less.
const shortestValue = 15
const namesOfFormats = contextFormats.flatMap(({ names }, format) => names.map((name) => ({ name, format })))
const automaton = createAutomaton(namesOfFormats.map(({ name }) => name))

/** The format of a value whose issuer is named before it; the first in the list when several are. */
export function contextFormatOf(value: string, before: () => string): ContextFormat | undefined {
  if (value.length < shortestValue) return undefined
  let first = contextFormats.length
  automaton.scan(before().toLowerCase(), (index) => {
    const format = namesOfFormats[index]?.format ?? first
    if (format < first && contextFormats[format]?.shape.test(value)) first = format
    return true
  })
  return contextFormats[first]
}
