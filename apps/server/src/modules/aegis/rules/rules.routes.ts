import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import { ImportReport, ListedRule, NewRule, PatchRule, Rule, RuleFilter } from './declared/schema.ts'
import { rules } from './declared/tables.ts'
import { importRules } from './import-rules.ts'
import { changeRule, createRule, listRules } from './rules.ts'

const route = routesOf<unknown>()

export const ruleRoutes = [
  route.get('/detection-rules', {
    permission: 'aegis:read',
    summary: 'List the detection rules with how they do',
    query: RuleFilter,
    returns: [200, ListedRule],
    list: { table: rules, default: '-created_at' },
    handler: ({ tx, page, query }) => listRules(tx, page, query),
  }),
  route.post('/detection-rules', {
    permission: 'aegis:write',
    summary: 'Create a detection rule, or import Sigma rules',
    description:
      'A native rule has `name`, `type`, `category` and either a `condition` in CEL over `event` or a `detection` in the form of Sigma. `threshold` fires at that many events (or values of `field`) of a group in the window, `new_value` at a value of `field` that the group did not have, `absence` when no event follows within the window, `anomaly` at an unusual number of events in a window, `correlation` over several `sources`. With `format: sigma`, `text` is YAML of up to 500 documents of Sigma 2.1 with the product `parapet`; the answer is a report, and everything that is not supported is named with its construct and JSON pointer. `dry_run` checks the text and stores nothing.',
    body: NewRule,
    bodyLimit: 5 * 1_048_576,
    returns: [201, Rule],
    alternatives: [[200, ImportReport]],
    audit: 'aegis.detection_rule.create',
    errors: [apiErrors.validation, errors.invalidExpression, errors.unsupportedRule],
    ownTransactions: true,
    handler: async (context) => {
      const { kernel, body } = context
      const { text, format, dry_run: dryRun = false } = body
      if (text === undefined && format === undefined && !dryRun)
        return kernel.db.tenant(scopeOf(context), (tx) => createRule(kernel, tx, body))
      if (text === undefined) {
        const detail = 'An import needs the text of the rules.'
        throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/text' }])
      }
      return new Answer(await importRules(kernel, scopeOf(context), { text, dryRun }), { status: 200 })
    },
  }),
  route.patch('/detection-rules/{rule_id}', {
    permission: 'aegis:write',
    summary: 'Change, enable, disable, archive or suppress a detection rule',
    description:
      'A merge patch, where lists are replaced. Built-in rules can be disabled and suppressed, not edited. A change of the condition, the group or the window begins with empty windows.',
    body: PatchRule,
    returns: [200, Rule],
    audit: 'aegis.detection_rule.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.validation,
      errors.illegalMove,
      errors.invalidExpression,
      errors.unsupportedRule,
    ],
    handler: ({ tx, kernel, actor, params: { rule_id: id }, body: input, precondition }) =>
      changeRule(kernel, tx, { actor, id, input, precondition }),
  }),
]
