import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { changeControl } from '../controls/change-control.ts'
import { listControls, seeControl } from '../controls/controls.ts'
import { Control, ControlFilter, ListedControl, PatchControl } from '../declared/control-schema.ts'
import { controls } from '../declared/control-table.ts'
import { errors } from '../errors/errors.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

const route = routesOf<ComplianceServices>()

export const controlRoutes = [
  route.get('/controls', {
    permission: 'compliance:read',
    summary: 'List the controls of adopted frameworks',
    description:
      'Each with its live result, score and evidence, the priority of its gap, and the lower bound of what it inherits through mappings.',
    query: ControlFilter,
    returns: [200, ListedControl],
    list: { table: controls, default: 'position' },
    handler: ({ tx, kernel, page, query }) => listControls(tx, { page, filter: query, atMs: kernel.clock.now() }),
  }),
  route.get('/controls/{control_id}', {
    permission: 'compliance:read',
    summary: 'See a control',
    returns: [200, Control],
    errors: [apiErrors.notFound],
    handler: ({ tx, kernel, params }) => seeControl(tx, params.control_id, kernel.clock.now()),
  }),
  route.patch('/controls/{control_id}', {
    permission: 'compliance:write',
    summary: 'Change a control',
    description:
      'A merge patch, where lists are replaced. `applicable: false` needs a `justification` and a second person, who repeats the call with the `confirm_token` of the refusal. `inherited_decisions` accepts or rejects what follows through mappings.',
    body: PatchControl,
    returns: [200, Control],
    audit: 'compliance.control.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.validation,
      errors.notChangeable,
      errors.secondPerson,
      errors.justificationNeeded,
    ],
    handler: ({ tx, services, actor, params, body, precondition, repeatable: call }) =>
      changeControl(services, tx, { actor, id: params.control_id, input: body, precondition, call }),
  }),
]
