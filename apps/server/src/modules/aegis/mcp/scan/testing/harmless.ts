/** Realistic definitions without any poison: hand-written sentences of real kinds of tools, in many combinations. */
const verbs = ['Get', 'List', 'Search', 'Create', 'Update', 'Delete', 'Archive', 'Export'] as const
const things: readonly (readonly [name: string, words: string, parameter: string])[] = [
  ['issue', 'issues of a repository', 'Number of the issue'],
  ['pull_request', 'pull requests and their reviews', 'Number of the pull request'],
  ['file', 'files below the allowed directories', 'Path of the file, relative to the project'],
  ['calendar_event', 'events of the user’s calendar', 'Start time in ISO 8601'],
  ['email', 'messages in a mailbox', 'Query in the syntax of the mail service'],
  ['invoice', 'invoices of a customer', 'Id of the customer'],
  ['customer', 'customers with their contact data', 'E-mail address of the customer'],
  ['ticket', 'support tickets by status and assignee', 'Status of the ticket'],
  ['page', 'pages of the knowledge base', 'Title or id of the page'],
  ['row', 'rows of a table of the database', 'SQL condition without the word WHERE'],
  ['dashboard', 'dashboards and their panels', 'UID of the dashboard'],
  ['metric', 'metrics over a time range', 'Query in PromQL'],
  ['container', 'containers of a cluster', 'Namespace; default is the current one'],
  ['secret_scan', 'results of the secret scanner', 'Branch to scan for leaked credentials'],
  ['api_key', 'API keys of the project by name, never their values', 'Name of the key'],
  ['channel_message', 'messages of a channel', 'Id of the channel'],
  ['user', 'users of the organization', 'Login of the user'],
  ['flight', 'flights between two airports', 'IATA code of the airport'],
  ['product', 'products of the shop', 'SKU of the product'],
  ['document', 'documents by their text', 'Words to search for'],
]
const notes = [
  '',
  'Results are paged; pass the cursor of the last answer to go on.',
  'Returns an error when the caller has no permission.',
  'Always prefer exact ids over names, because names may repeat.',
  'Use this tool when the user asks for an overview.',
  'Do not use it for more than 100 items at a time.',
  'Note: the time zone is that of the account unless you set one.',
  'The answer is JSON. Example: {"id": 7, "state": "open"}.',
  'Important: deleted items can be restored for 30 days.',
  'Never logs the content of the request.',
  'Authentication uses the token of the server; no credentials are needed here.',
  'See https://docs.example.com/tools for the list of fields.',
]

export const harmless = verbs.flatMap((verb, v) =>
  things.flatMap(([name, words, parameter], t) =>
    [0, 1, 2].map((k) => {
      const note = notes[(v * 7 + t * 3 + k * 5) % notes.length] ?? ''
      return {
        ...{ name: `${verb.toLowerCase()}_${name}`, title: `${verb} ${name.replaceAll('_', ' ')}` },
        description: `${verb}s ${words}. ${note}`.trim(),
        inputSchema: {
          type: 'object',
          required: ['value'],
          properties: {
            value: { type: 'string', description: parameter },
            limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Most items of the answer' },
            format: { type: 'string', enum: ['json', 'markdown', 'csv'], description: 'Form of the answer' },
          },
        },
        annotations: { readOnlyHint: verb === 'Get' || verb === 'List' || verb === 'Search' },
      }
    }),
  ),
)
