/** Settings of model calls and of their allowed targets. */
import { createAddressGuard } from '../net/address-guard.ts'
import { baseUrl, containing, entries, list, optional, type Setting, whole } from './forms.ts'

export const gatewaySettings = {
  privateUpstreams: {
    env: 'PARAPET_GATEWAY_PRIVATE_UPSTREAMS',
    doc: 'Comma-separated CIDRs of private provider addresses the operator allows.',
    read: privateRanges,
  },
  egressPorts: {
    env: 'PARAPET_EGRESS_PORTS',
    doc: 'Comma-separated ports besides 443 that public addresses of providers and of all else that is called may have.',
    read: entries(
      /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
      'ports from 1 to 65535',
    ),
  },
  gatewaySecretEnv: {
    env: 'PARAPET_GATEWAY_SECRET_ENV',
    doc: 'Environment variables that keys of providers may name (env://NAME): <tenant id>/<NAME>, with commas between them.',
    read: entries(
      /^[0-9a-f-]{36}\/(?!PARAPET_)[A-Za-z_][A-Za-z0-9_]{0,127}$/,
      '<tenant id>/<NAME>, not one of PARAPET_',
    ),
  },
  gatewaySecretDir: {
    env: 'PARAPET_GATEWAY_SECRET_DIR',
    doc: 'Folder of files that keys of providers may name (file://name): <folder>/<tenant id>/<name>.',
    read: optional,
  },
  gatewayVaultUrl: {
    env: 'PARAPET_GATEWAY_VAULT_URL',
    doc: 'HashiCorp Vault or OpenBao that keys of providers may name (vault://path#field). A private address has to be allowed above.',
    read: baseUrl(),
  },
  gatewayVaultTokenFile: {
    env: 'PARAPET_GATEWAY_VAULT_TOKEN_FILE',
    doc: 'File with the token for it, read at each use, so that an agent may renew it.',
    read: optional,
  },
  gatewayVaultPath: {
    env: 'PARAPET_GATEWAY_VAULT_PATH',
    doc: 'Where the secrets of a tenant are, below /v1/; {tenant} is its id. Of a KV engine, version 1 or 2.',
    read: containing('secret/data/parapet/{tenant}', '{tenant}'),
  },
  gatewayVaultNamespace: {
    env: 'PARAPET_GATEWAY_VAULT_NAMESPACE',
    doc: 'Namespace of the secrets, where the vault has some.',
    read: optional,
  },
  gatewayClassifiersFile: {
    env: 'PARAPET_GATEWAY_CLASSIFIERS_FILE',
    doc: 'JSON of the outside models that policies may ask about prompt injection and topics; read at start.',
    read: optional,
  },
  gatewayBodyBytes: {
    env: 'PARAPET_GATEWAY_BODY_BYTES',
    doc: 'Most bytes the body of a model call may have.',
    read: whole(10_485_760, 65_536, 26_214_400),
  },
  gatewaySpoolBytes: {
    env: 'PARAPET_GATEWAY_SPOOL_BYTES',
    doc: 'Most bytes of call records that wait on the local disk while the database is away, for policies that allow it.',
    read: whole(268_435_456, 1_048_576, 999_999_999),
  },
} as const satisfies Record<string, Setting<unknown>>

/** Tried here as well, so that the start names the setting. */
function privateRanges(value: string | undefined): readonly string[] {
  const ranges = list(value)
  createAddressGuard(ranges)
  return ranges
}
