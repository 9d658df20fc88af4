import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

const actor = { actor_id: nullable(Uuid) }
const reason = { reason: nullable(Type.String({ maxLength: 500 })) }
const keyFields = { api_key_id: Uuid, owner_id: Uuid, ...actor }

export const apiKeyCreated = defineEvent({
  channel: 'iam.api_key.created',
  type: 'ApiKeyCreated',
  summary: 'An API key was created.',
  schema: strictObject(keyFields),
})
export const apiKeyRotated = defineEvent({
  channel: 'iam.api_key.rotated',
  type: 'ApiKeyRotated',
  summary: 'An API key was replaced by a new one.',
  schema: strictObject({ ...keyFields, replaces_id: Uuid }),
})
export const apiKeyRevoked = defineEvent({
  channel: 'iam.api_key.revoked',
  type: 'ApiKeyRevoked',
  summary: 'An API key was revoked.',
  schema: strictObject({ ...keyFields, ...reason }),
})
export const apiKeyUsedFromNewNetwork = defineEvent({
  channel: 'iam.api_key.used_from_new_network',
  type: 'ApiKeyUsedFromNewNetwork',
  summary: 'A key that was used before was used from a network it was never used from; told within a minute.',
  schema: strictObject({
    api_key_id: Uuid,
    owner_id: Uuid,
    network: Type.String({ maxLength: 64, description: 'The /24 of an IPv4 address, the /64 of one of IPv6' }),
  }),
})

export const apiKeyEvents = [apiKeyCreated, apiKeyRotated, apiKeyRevoked, apiKeyUsedFromNewNetwork] as const
