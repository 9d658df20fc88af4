import Type, { type Static } from 'typebox'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'

const Address = Type.String({ pattern: '^https?://[^\\s@#]+$', minLength: 8, maxLength: 2048 })

export const SignalReceiver = strictObject({
  url: Type.String({ ...Address, description: 'Where tokens are posted to (RFC 8935)' }),
  audience: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: '`aud`; default the URL’s origin' }),
  ),
  subject: Type.Optional(
    Type.Unsafe<'iss_sub' | 'email'>({
      type: 'string',
      enum: ['iss_sub', 'email'],
      description: 'How a person is named (RFC 9493): by the id here, or by the e-mail address; default `iss_sub`',
    }),
  ),
})
export type SignalReceiver = Static<typeof SignalReceiver>

/** Set per tenant only: the events of a tenant concern no other tenant. */
export const signalReceiver = defineSetting({
  key: 'shared_signals.receiver',
  schema: nullable(SignalReceiver),
  default: null,
  scope: 'tenant',
  description:
    'Who gets sessions, credentials and accounts of the tenant as signed Security Event Tokens (CAEP, RISC); null for nobody.',
  dangerous: true,
  check: (receiver) => (receiver === null || URL.canParse(receiver.url) ? null : 'The receiver’s url is none.'),
})

/** Bound to an origin, so that it goes to no other receiver than the one it was given for. */
export const signalAuthorization = defineSetting({
  key: 'shared_signals.authorization',
  schema: nullable(
    strictObject({
      origin: Address,
      value: Type.String({ pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$', minLength: 1, maxLength: 4096 }),
    }),
  ),
  default: null,
  scope: 'tenant',
  description: 'The `Authorization` header of that receiver: `origin` (as `https://host`) and `value` (as `Bearer …`).',
  secret: true,
  dangerous: true,
})

export const signalSettings = [signalReceiver, signalAuthorization]
