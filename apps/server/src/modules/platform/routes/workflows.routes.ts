import { apiErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { beginRun } from '../workflows/begin.ts'
import { decideRun } from '../workflows/decide.ts'
import {
  MadeWorkflow,
  NewRun,
  NewWorkflow,
  PatchRun,
  Run,
  RunFilter,
  Workflow,
  WorkflowFilter,
} from '../workflows/declared/schema.ts'
import { runs, workflows } from '../workflows/declared/tables.ts'
import { listRuns, listWorkflows } from '../workflows/list.ts'
import { recipes } from '../workflows/recipes.ts'
import { saveWorkflow } from '../workflows/save.ts'

const route = routesOf<PlatformServices>()

export const workflowRoutes = [
  route.post('/workflows', {
    permission: 'platform:write',
    summary: 'Make a workflow, or its next version',
    description:
      'The `key` of a workflow makes its next version; members that are left out stay. Runs keep the version that they began with, and act with the rights of whoever wrote it, as they are then, within `declared_permissions`.',
    body: NewWorkflow,
    returns: [201, MadeWorkflow],
    audit: 'platform.workflow.create',
    errors: [
      apiErrors.validation,
      errors.cronInvalid,
      errors.versionDiffers,
      errors.definitionInvalid,
      errors.permissionMissing,
    ],
    handler: ({ tx, services, actor, body }) => saveWorkflow(services, tx, { actor, input: body }),
  }),
  route.get('/workflows', {
    permission: 'platform:read',
    summary: 'List the workflows',
    description:
      '`versions=true` adds every definition there was; `recipes=true` puts ready-made ones in `meta.recipes`. Archived ones are listed by `status=archived`.',
    query: WorkflowFilter,
    returns: [200, Workflow],
    list: { table: workflows, default: '-created_at' },
    handler: async ({ tx, kernel, page, query }) => {
      const found = await listWorkflows(tx, { page, filter: query, nowMs: kernel.clock.now() })
      return query.recipes === true ? new Answer(found, { meta: { recipes } }) : found
    },
  }),
  route.post('/workflows/{workflow_id}/runs', {
    permission: 'platform:write',
    summary: 'Begin a run, or rehearse one',
    description:
      'With `dry_run` conditions are evaluated on `event`, or on the past event `event_id`, and each step shows the call that it would make; nothing is sent.',
    body: NewRun,
    returns: [201, Run],
    audit: 'platform.run.create',
    errors: [apiErrors.notFound, errors.inputInvalid, errors.notRunnable],
    handler: ({ tx, services, actor, params, body }) =>
      beginRun(services, tx, { actor, workflowId: params.workflow_id, input: body }),
  }),
  route.get('/workflows/{workflow_id}/runs', {
    permission: 'platform:read',
    summary: 'List the runs of a workflow with their steps',
    query: RunFilter,
    returns: [200, Run],
    list: { table: runs, default: '-created_at' },
    errors: [apiErrors.notFound],
    handler: ({ tx, params, page, query }) => listRuns(tx, { workflowId: params.workflow_id, page, filter: query }),
  }),
  route.patch('/workflows/{workflow_id}/runs/{run_id}', {
    permission: 'platform:write',
    summary: 'Approve or reject a step, cancel a run or retry it',
    description:
      'An approval is given by an approver of the step who is neither the owner of the workflow nor whoever began the run. `retry` goes on from the failed step and keeps what has succeeded.',
    body: PatchRun,
    returns: [200, Run],
    audit: 'platform.run.update',
    errors: [
      apiErrors.validation,
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      errors.alreadyDecided,
      errors.illegalAction,
      errors.notApprover,
    ],
    handler: ({ tx, services, actor, params, body, precondition }) =>
      decideRun(services, tx, {
        ...{ actor, workflowId: params.workflow_id, runId: params.run_id, input: body, precondition },
      }),
  }),
]
