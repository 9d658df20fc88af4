import { routesOf } from '../../../kernel/module/route.ts'
import { NewPrompt, NewPromptAnswer, Prompt, PromptFilter } from '../declared/prompt-schema.ts'
import { prompts } from '../declared/prompt-tables.ts'
import { errors } from '../errors/errors.ts'
import { createPrompt, listPrompts } from '../prompts/prompts.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

const route = routesOf<SvcAiServices>()

export const promptRoutes = [
  route.get('/prompts', {
    permission: 'svc-ai:read',
    summary: 'List prompts with their versions',
    description: '`label` gives the version that it names; `q` is the beginning of a name.',
    query: PromptFilter,
    returns: [200, Prompt],
    list: { table: prompts, default: '-created_at' },
    handler: ({ tx, page, query }) => listPrompts(tx, { page, filter: query }),
  }),
  route.post('/prompts', {
    permission: 'svc-ai:write',
    summary: 'Add a prompt, or the next version of one',
    description:
      'A version never changes. `labels` move to it. `expected_version` refuses it where somebody else has added one; `preview_variables` renders it.',
    body: NewPrompt,
    returns: [201, NewPromptAnswer],
    audit: 'svc_ai.prompt.create',
    errors: [errors.templateInvalid, errors.versionDiffers],
    handler: ({ tx, kernel, actor, body }) => createPrompt(kernel, tx, { actor, input: body }),
  }),
]
