/**
 * Jira Cloud REST API v3. An issue is made once for a thing: it is looked for by a label first, and later events of the same
 * thing become comments. Texts are in the Atlassian Document Format. Tested in http-kinds.test.ts.
 */
import Type from 'typebox'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { Secret, Url, Word } from './fields.ts'
import { cut, defineKind, type HttpRequest, jsonHeaders } from './kind.ts'

const Config = strictObject({
  base_url: Url,
  project_key: Type.String({ minLength: 2, maxLength: 10, pattern: '^[A-Z][A-Z0-9_]+$' }),
  issue_type: Type.Optional(Word),
})
const Credentials = strictObject({ email: Type.String({ minLength: 3, maxLength: 254 }), api_token: Secret })

const labelOf = ({ key }: OutgoingMessage): string => `parapet-${sha256(key).slice(0, 20)}`

/** A document of paragraphs, one for each line; empty text has no paragraph. */
function documentOf({ text, url }: OutgoingMessage): object {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const paragraphs = lines.map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }))
  const link = { type: 'text', text: 'Open in Parapet', marks: [{ type: 'link', attrs: { href: url } }] }
  return {
    type: 'doc',
    version: 1,
    content: [...paragraphs, ...(url === null ? [] : [{ type: 'paragraph', content: [link] }])],
  }
}

interface Target {
  readonly base_url: string
}

function callTo({ base_url: base }: Target, credentials: { readonly email: string; readonly api_token: string }) {
  const { email, api_token: token } = credentials
  const authorization = `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
  return (path: string, body: object): HttpRequest => ({
    url: `${base.replace(/\/$/, '')}/rest/api/3/${path}`,
    method: 'POST',
    headers: { ...jsonHeaders, accept: 'application/json', authorization },
    body: JSON.stringify(body),
  })
}

export const jira = defineKind({
  kind: 'jira',
  title: 'Jira',
  description: 'An issue for each thing that something happened to; what happens later becomes a comment.',
  config: Config,
  credentials: Credentials,
  transport: {
    type: 'http',
    destination: ({ base_url: url }) => url,
    lookup: ({ message, config, credentials }) =>
      callTo(config, credentials)('search/jql', {
        jql: `project = "${config.project_key}" AND labels = "${labelOf(message)}"`,
        maxResults: 1,
        fields: ['status'],
      }),
    request: ({ message, config, credentials }, found) => {
      const call = callTo(config, credentials)
      const issue = /"key"\s*:\s*"([A-Z][A-Z0-9_]+-\d+)"/.exec(found ?? '')?.[1]
      if (message.action !== 'trigger')
        return issue === undefined ? null : call(`issue/${issue}/comment`, { body: documentOf(message) })
      if (issue !== undefined) return null
      return call('issue', {
        fields: {
          project: { key: config.project_key },
          issuetype: { name: config.issue_type ?? 'Task' },
          summary: cut(message.title.replaceAll(/\s+/g, ' '), 255),
          description: documentOf(message),
          labels: ['parapet', labelOf(message)],
        },
      })
    },
  },
})
