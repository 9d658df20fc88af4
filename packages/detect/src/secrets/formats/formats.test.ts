import { describe, expect, test } from 'vitest'
import { base62Checksum, crc32 } from '../../text/bytes/crc32.ts'
import { findSecrets } from '../find-secrets.ts'
import { secretFormats } from './all.ts'

// Samples are made here, character by character, so that no scanner takes this file for a leak. The shapes are those
// that the issuers' manuals and the open rule sets of secret scanners describe.
const made =
  (alphabet: string, seed: number) =>
  (length: number): string => {
    let state = seed
    return Array.from({ length }, () => {
      state = (state * 1103515245 + 12345) % 2147483648
      return alphabet[Math.floor((state / 2147483648) * alphabet.length)]
    }).join('')
  }
const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const hex = made(`${digits}abcdef`, 7)
const b62 = made(upper + lower + digits, 11)
const low = made(lower + digits, 13)
const up = made(upper + digits, 17)
const b32 = made(`${upper}234567`, 19)
const num = (length: number): string => `4${made('123456789', 23)(length - 1)}`
const uuid = [8, 4, 4, 4, 12].map(hex).join('-')
const withSum = (prefix: string): string => `${prefix}${b62(30)}${base62Checksum(b62(30))}`
const parapet = `ppt_${b62(12)}_${b62(43)}`
const grafana = `glsa_${b62(32)}`

const samples: readonly (readonly [type: string, value: string])[] = [
  ['anthropic_api_key', `sk-ant-api03-${b62(93)}AA`],
  ['openai_api_key', `sk-proj-${b62(60)}`],
  ['openai_api_key', `sk-svcacct-${b62(60)}`],
  ['openai_api_key', `sk-${b62(20)}T3Blbk${'FJ'}${b62(20)}`],
  ['openai_api_key', `sk-${b62(48)}`],
  ['openrouter_api_key', `sk-or-v1-${hex(64)}`],
  ['deepseek_api_key', `sk-${hex(32)}`],
  ['langfuse_secret_key', `sk-lf-${uuid}`],
  ['groq_api_key', `gsk_${b62(52)}`],
  ['xai_api_key', `xai-${b62(80)}`],
  ['perplexity_api_key', `pplx-${b62(48)}`],
  ['replicate_token', `r8_${b62(37)}`],
  ['huggingface_token', `hf_${made(upper + lower, 3)(34)}`],
  ['nvidia_api_key', `nvapi-${b62(64)}`],
  ['cerebras_api_key', `csk-${low(48)}`],
  ['pinecone_api_key', `pcsk_${b62(60)}`],
  ['jina_api_key', `jina_${b62(65)}`],
  ['tavily_api_key', `tvly-dev-${b62(32)}`],
  ['elevenlabs_api_key', `sk_${hex(48)}`],
  ['firecrawl_api_key', `fc-${hex(32)}`],
  ['e2b_api_key', `e2b_${hex(40)}`],
  ['langsmith_api_key', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['aws_access_key_id', `AKIA${b32(16)}`],
  ['aws_mws_token', `amzn.mws.${uuid}`],
  ['aws_session_token', `IQoJb3JpZ2lu${b62(300)}`],
  ['google_api_key', `AIza${b62(35)}`],
  ['google_oauth_secret', `GOCSPX-${b62(28)}`],
  ['google_oauth_token', `ya29.${b62(120)}`],
  ['google_refresh_token', `1//0${b62(60)}`],
  [
    'azure_storage_connection',
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${b62(86)}==;EndpointSuffix=core.windows.net`,
  ],
  ['azure_client_secret', `${b62(3)}8Q~${b62(34)}`],
  ['alibaba_access_key_id', `LTAI${b62(20)}`],
  ['tencent_secret_id', `AKID${b62(32)}`],
  ['yandex_api_key', `AQVN${b62(36)}`],
  ['digitalocean_token', `dop_v1_${hex(64)}`],
  ['fly_token', `fo1_${b62(43)}`],
  ['heroku_api_key', `HRKU-${uuid}`],
  ['vercel_token', `vcp_${b62(24)}`],
  ['netlify_token', `nfp_${b62(36)}`],
  ['supabase_token', `sbp_${hex(40)}`],
  ['planetscale_token', `pscale_tkn_${b62(43)}`],
  ['databricks_token', `dapi${hex(32)}`],
  ['vault_token', `hvs.${b62(90)}`],
  ['terraform_token', `${b62(14)}.atlasv1.${b62(64)}`],
  ['doppler_token', `dp.pt.${b62(43)}`],
  ['pulumi_token', `pul-${hex(40)}`],
  ['infracost_key', `ico-${b62(32)}`],
  ['tailscale_key', `tskey-auth-${b62(12)}-${b62(32)}`],
  ['age_secret_key', `AGE-SECRET-KEY-1${made('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 5)(58)}`],
  ['parapet_api_key', `${parapet}_${base62Checksum(parapet)}`],
  ['github_token', withSum('ghp_')],
  ['github_token', `github_pat_${b62(22)}_${b62(59)}`],
  ['gitlab_token', `glpat-${b62(20)}`],
  ['gitlab_token', `glrtr-${b62(20)}`],
  ['bitbucket_app_password', `ATBB${b62(32)}`],
  ['atlassian_token', `ATATT3${b62(180)}`],
  ['npm_token', withSum('npm_')],
  ['pypi_token', `pypi-AgEIcHlwaS5vcmc${b62(120)}`],
  ['rubygems_key', `rubygems_${hex(48)}`],
  ['nuget_key', `oy2${low(43)}`],
  ['clojars_token', `CLOJARS_${low(60)}`],
  ['docker_hub_token', `dckr_pat_${b62(27)}`],
  ['artifactory_key', `AKCp${b62(69)}`],
  ['sonarqube_token', `squ_${hex(40)}`],
  ['circleci_token', `CCIPAT_${b62(22)}_${hex(40)}`],
  ['buildkite_token', `bkua_${hex(40)}`],
  ['postman_key', `PMAK-${hex(24)}-${hex(34)}`],
  ['sourcegraph_token', `sgp_${hex(16)}_${hex(40)}`],
  ['launchdarkly_key', `sdk-${uuid}`],
  ['sentry_token', `sntryu_${hex(64)}`],
  ['grafana_token', `${grafana}_${crc32(b62(32)).toString(16).padStart(8, '0')}`],
  ['new_relic_key', `NRAK-${up(27)}`],
  ['dynatrace_token', `dt0c01.${b32(24)}.${b32(64)}`],
  ['honeycomb_key', `hcaik_${low(58)}`],
  ['stripe_key', `sk_live_${b62(32)}`],
  ['stripe_key', `rk_test_${b62(99)}`],
  ['stripe_webhook_secret', `whsec_${b62(32)}`],
  ['shopify_token', `shpat_${hex(32)}`],
  ['square_token', `sq0csp-${b62(43)}`],
  ['braintree_token', `access_token$production$${low(16)}$${hex(32)}`],
  ['plaid_token', `access-sandbox-${uuid}`],
  ['razorpay_key', `rzp_live_${b62(14)}`],
  ['flutterwave_key', `FLWSECK-${hex(32)}-X`],
  ['shippo_token', `shippo_live_${hex(40)}`],
  ['sendgrid_key', `SG.${b62(22)}.${b62(43)}`],
  ['mailgun_key', `key-${hex(32)}`],
  ['mailchimp_key', `${hex(32)}-us21`],
  ['brevo_key', `xkeysib-${hex(64)}-${b62(16)}`],
  ['hubspot_token', `pat-eu1-${uuid}`],
  ['notion_token', `ntn_${b62(46)}`],
  ['linear_key', `lin_api_${b62(40)}`],
  ['figma_token', `figd_${b62(40)}`],
  ['airtable_token', `pat${b62(14)}.${hex(64)}`],
  ['clickup_token', `pk_${num(8)}_${up(32)}`],
  ['typeform_token', `tfp_${b62(59)}`],
  ['dropbox_token', `sl.${b62(140)}`],
  ['contentful_token', `CFPAT-${b62(43)}`],
  ['mapbox_secret_token', `sk.eyJ1Ijo${b62(60)}.${b62(22)}`],
  ['slack_token', `xoxb-${num(12)}-${num(12)}-${b62(24)}`],
  ['slack_token', `xapp-1-A${up(10)}-${num(13)}-${hex(64)}`],
  ['slack_webhook', `https://hooks.slack.com/services/T${up(9)}/B${up(9)}/${b62(24)}`],
  ['discord_bot_token', `MT${b62(24)}.${b62(6)}.${b62(38)}`],
  ['telegram_bot_token', `${num(10)}:AA${b62(33)}`],
  ['twilio_key', `SK${hex(32)}`],
  ['twitter_bearer_token', `${'A'.repeat(22)}${b62(80)}`],
]

describe('every format', () => {
  test.each(samples)('%s is found at its exact place, alone and in a carrier', (type, value) => {
    for (const [before, after] of [
      ['', ''],
      ['key = "', '"'],
      ['the key is ', ', keep it'],
      ['token:', '\n'],
      ['<td>', '</td>'],
    ] as const) {
      expect(findSecrets(before + value + after)).toMatchObject([
        { type, start: before.length, end: before.length + value.length },
      ])
    }
  })

  test.each(samples)('%s cut short, or of one letter only, is not found', (type, value) => {
    const types = (text: string): string[] => findSecrets(text).map((finding) => finding.type)
    expect(types(`see ${value.slice(0, Math.max(8, Math.min(20, Math.ceil(value.length * 0.4))))}`)).not.toContain(type)
    const sample = value.slice(0, -16) + 'x'.repeat(16)
    if (value.length < 60 && !value.includes('http')) expect(types(`see ${sample}`)).not.toContain(type)
  })

  test.each(samples)('%s inside a longer word is not found', (type, value) => {
    if (/^\W|^[^a-zA-Z]/.test(value) || value.startsWith('http')) return
    expect(findSecrets(`word_${value}`).map((finding) => finding.type)).not.toContain(type)
  })

  test('at least sixty issuers are known', () => {
    expect(new Set(secretFormats.map(({ type }) => type.split('_')[0])).size).toBeGreaterThanOrEqual(60)
  })
})

describe('check sums', () => {
  test('the check sum is that of the standard check value', () => {
    // CRC catalogue, CRC-32/ISO-HDLC: check("123456789") = 0xCBF43926.
    expect(crc32('123456789')).toBe(0xcbf43926)
    expect(base62Checksum('')).toBe('000000')
  })

  test.each([
    ['GitHub', `ghp_${b62(36)}`],
    ['npm', `npm_${b62(36)}`],
    ['Parapet', `${parapet}_000000`],
  ])('a %s token with a wrong one is not found', (_issuer, value) => {
    expect(findSecrets(`see ${value}`)).toEqual([])
  })
})
