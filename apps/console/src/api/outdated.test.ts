import { expect, test } from 'vitest'
import { outdates } from './outdated.ts'

test.each([
  ['gateway.request.blocked', '/gateway/usage', true],
  ['gateway.request.blocked', '/gateway/policies', false],
  ['aegis.kill_switch.activated', '/gateway/kill-switches', true],
  ['trust.score.updated', '/trust/scores/current', true],
  ['trust.score.updated', '/risk/register', false],
  ['aegis.approval.requested', '/aegis/approvals', true],
  ['aegis.mcp_call.completed', '/aegis/posture', false],
  ['aegis.mcp_tool.changed', '/aegis/mcp-servers/{mcp_server_id}', true],
  ['iam.user.invited', '/iam/users', true],
  ['iam.user.invited', '/iamx/users', false],
])('%s makes %s old: %s', (channel, path, expected) => {
  expect(outdates(channel, path)).toBe(expected)
})
