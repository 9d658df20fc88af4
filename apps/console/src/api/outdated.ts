/** Which paths an event makes old. Pure. Tested in outdated.test.ts. */

/** Beginnings of paths by beginnings of channels; the first that fits counts. */
const rules: readonly (readonly [channel: string, paths: readonly string[]])[] = [
  ['gateway.request.', ['/gateway/usage', '/gateway/requests']],
  ['gateway.kill_switch.', ['/gateway/kill-switches']],
  ['aegis.kill_switch.', ['/gateway/kill-switches', '/aegis/posture']],
  ['gateway.policy.', ['/gateway/policies']],
  ['gateway.provider.', ['/gateway/providers']],
  ['aegis.alert.', ['/aegis/alerts']],
  ['aegis.approval.', ['/aegis/approvals']],
  ['aegis.mcp_', ['/aegis/mcp-servers']],
  ['aegis.posture.', ['/aegis/posture']],
  ['trust.', ['/trust/']],
  ['risk.', ['/risk/']],
  ['compliance.', ['/compliance/']],
  ['admin.config.', ['/admin/config']],
]

/** @param channel for instance `aegis.alert.created` @param path as of the API, without parameters filled in */
export function outdates(channel: string, path: string): boolean {
  const rule = rules.find(([beginning]) => channel.startsWith(beginning))
  if (rule !== undefined) return rule[1].some((beginning) => path.startsWith(beginning))
  return path.startsWith(`/${channel.slice(0, channel.indexOf('.'))}/`)
}
