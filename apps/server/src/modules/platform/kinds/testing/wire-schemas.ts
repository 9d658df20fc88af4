/**
 * The forms that the receivers publish, as JSON Schemas of what is sent to them: members that are not theirs are refused, and
 * so are texts above their limits. From the references of Slack (Block Kit), Microsoft (Adaptive Cards 1.5), PagerDuty
 * (Events API v2), Atlassian (issues and ADF), Splunk (event collector) and OCSF 1.9 (class 2004).
 */
type Schema = Readonly<Record<string, unknown>>

const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength })
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
})
const list = (items: Schema, maxItems: number): Schema => ({ type: 'array', items, minItems: 1, maxItems })

const plainText = (most: number) =>
  object({ type: { const: 'plain_text' }, text: text(most), emoji: { type: 'boolean' } }, ['type', 'text'])
const markdown = (most: number) => object({ type: { const: 'mrkdwn' }, text: text(most) }, ['type', 'text'])
const button = object({ type: { const: 'button' }, text: plainText(75), url: text(3_000) }, ['type', 'text'])
const block = {
  oneOf: [
    object({ type: { const: 'header' }, text: plainText(150) }, ['type', 'text']),
    object({ type: { const: 'section' }, text: markdown(3_000) }, ['type', 'text']),
    object({ type: { const: 'context' }, elements: list(markdown(3_000), 10) }, ['type', 'elements']),
    object({ type: { const: 'actions' }, elements: list(button, 25) }, ['type', 'elements']),
  ],
}
export const slackMessage = object(
  {
    channel: text(80),
    text: text(40_000),
    attachments: list(object({ color: { pattern: '^#[0-9a-f]{6}$' }, blocks: list(block, 50) }, ['blocks']), 20),
  },
  ['text'],
)

const cardColors = ['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention']
const cardElement = {
  oneOf: [
    object(
      {
        ...{ type: { const: 'TextBlock' }, text: { type: 'string' }, wrap: { type: 'boolean' } },
        size: { enum: ['default', 'small', 'medium', 'large', 'extraLarge'] },
        ...{ weight: { enum: ['default', 'lighter', 'bolder'] }, color: { enum: cardColors } },
      },
      ['type', 'text'],
    ),
    object(
      {
        type: { const: 'FactSet' },
        facts: list(object({ title: { type: 'string' }, value: { type: 'string' } }, ['title', 'value']), 50),
      },
      ['type', 'facts'],
    ),
  ],
}
const card = object(
  {
    ...{ $schema: { type: 'string' }, type: { const: 'AdaptiveCard' }, version: { const: '1.5' } },
    body: list(cardElement, 50),
    actions: {
      type: 'array',
      items: object({ type: { const: 'Action.OpenUrl' }, title: text(100), url: { type: 'string', format: 'uri' } }, [
        ...['type', 'url'],
      ]),
    },
  },
  ['type'],
)
export const teamsMessage = object(
  {
    type: { const: 'message' },
    attachments: list(
      object(
        {
          contentType: { const: 'application/vnd.microsoft.card.adaptive' },
          ...{ contentUrl: { type: 'null' }, content: card },
        },
        ['contentType', 'content'],
      ),
      10,
    ),
  },
  ['type', 'attachments'],
)

export const pagerdutyEvent = object(
  {
    routing_key: { type: 'string', minLength: 32, maxLength: 32 },
    event_action: { enum: ['trigger', 'acknowledge', 'resolve'] },
    ...{ dedup_key: text(255), client: { type: 'string' }, client_url: { type: 'string', format: 'uri' } },
    payload: object(
      {
        ...{ summary: text(1_024), source: text(1_024), severity: { enum: ['critical', 'error', 'warning', 'info'] } },
        timestamp: { type: 'string', format: 'date-time' },
        ...{ component: { type: 'string' }, group: { type: 'string' }, class: { type: 'string' } },
        custom_details: { type: 'object' },
      },
      ['summary', 'source', 'severity'],
    ),
    links: list(object({ href: { type: 'string', format: 'uri' }, text: { type: 'string' } }, ['href']), 10),
  },
  ['routing_key', 'event_action', 'payload'],
)

const mark = object({ type: { const: 'link' }, attrs: object({ href: { type: 'string', format: 'uri' } }, ['href']) }, [
  'type',
  'attrs',
])
const adfText = object({ type: { const: 'text' }, text: text(32_767), marks: list(mark, 5) }, ['type', 'text'])
const adfDocument = object(
  {
    ...{ type: { const: 'doc' }, version: { const: 1 } },
    content: {
      type: 'array',
      items: object({ type: { const: 'paragraph' }, content: { type: 'array', items: adfText } }, ['type']),
    },
  },
  ['type', 'version', 'content'],
)
export const jiraIssue = object(
  {
    fields: object(
      {
        project: object({ key: { type: 'string', pattern: '^[A-Z][A-Z0-9_]+$' } }, ['key']),
        issuetype: object({ name: text(60) }, ['name']),
        // One line.
        summary: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\n\\r]*$' },
        description: adfDocument,
        labels: list({ type: 'string', maxLength: 255, pattern: '^\\S+$' }, 20),
      },
      ['project', 'issuetype', 'summary'],
    ),
  },
  ['fields'],
)
export const jiraComment = object({ body: adfDocument }, ['body'])
export const jiraSearch = object(
  { jql: text(5_000), maxResults: { type: 'integer' }, fields: { type: 'array', items: { type: 'string' } } },
  ['jql'],
)

export const splunkEvent = object(
  {
    ...{ time: { type: 'number' }, host: { type: 'string' }, source: { type: 'string' }, index: { type: 'string' } },
    sourcetype: { type: 'string' },
    event: { type: 'object', minProperties: 1 },
    // Flat: nested values are refused by the collector.
    fields: { type: 'object', additionalProperties: { type: ['string', 'number', 'array'] } },
  },
  ['event'],
)

/** Members that version 1.9.0 requires of a Detection Finding, and their values, from its definitions. */
export const ocsfFinding = {
  type: 'object',
  required: ['activity_id', 'category_uid', 'class_uid', 'finding_info', 'metadata', 'severity_id', 'time', 'type_uid'],
  properties: {
    activity_id: { enum: [0, 1, 2, 3, 99] },
    category_uid: { const: 2 },
    class_uid: { const: 2004 },
    type_uid: { enum: [200_400, 200_401, 200_402, 200_403, 200_499] },
    severity_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
    status_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
    time: { type: 'integer' },
    metadata: { type: 'object', required: ['product', 'version'], properties: { version: { const: '1.9.0' } } },
    finding_info: { type: 'object', required: ['uid'] },
  },
}
