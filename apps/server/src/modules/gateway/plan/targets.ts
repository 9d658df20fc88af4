import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../declared/errors.ts'
import { isOffline, type Provider, type Target } from '../providers/provider.ts'
import { type Route, targetsOfRoute } from '../route-model/route.ts'
import { matchesAny } from '../words/globs.ts'

export interface Wanted {
  readonly provider: string | null
  readonly model: string | null
}

/** Targets of a call, and the route that lists them if one was asked for. */
export interface Plan {
  readonly route: Route | null
  readonly targets: readonly Target[]
}

interface Known {
  readonly providers: readonly Provider[]
  readonly routes?: readonly Route[]
}

/** As `resolveTargets`, where a model may be a route; a route stands before a model of its name. @throws GW-001, GW-018 */
export function planFor({ providers, routes = [] }: Known, wanted: Wanted): Plan {
  const route = wanted.provider === null ? routes.find(({ name }) => name === wanted.model) : undefined
  if (route === undefined) return { route: null, targets: resolveTargets(providers, wanted) }
  if (route.paused) throw unknown(`The route ${route.name} is paused.`)
  const targets = targetsOfRoute(route, providers, serves)
  if (targets.length === 0) throw errors.noHealthyTarget()
  return { route, targets }
}

/**
 * The providers that could answer, best first. A named provider is the only one; an alias stands for one model of one
 * provider, before models of its name; a bare model name goes to every enabled provider that has it. The demo provider never stands in for a real one: where it is meant, it is alone.
 * @throws GW-001
 */
export function resolveTargets(providers: readonly Provider[], wanted: Wanted): readonly Target[] {
  const enabled = providers.filter((provider) => provider.enabled)
  if (wanted.provider !== null) return [namedTarget(enabled, wanted.provider, wanted.model)]
  if (wanted.model === null) throw unknown('The request names neither a model nor a provider.')
  const model = wanted.model
  const owner = enabled.find((provider) => aliasedModel(provider, model) !== null)
  if (owner !== undefined) return [namedTarget(enabled, owner.name, model)]
  const prefixed = splitPrefix(enabled, model)
  if (prefixed !== null) return [prefixed]
  const targets = enabled.filter((provider) => knows(provider, model)).map((provider) => ({ provider, model }))
  const offline = targets.filter(({ provider }) => isOffline(provider))
  if (targets.length === 0) throw unknown(`No enabled provider has a model ${model}.`)
  return offline.length > 0 ? offline : targets
}

function unknown(what: string): ProblemError {
  return errors.unknownTarget({ what })
}

function namedTarget(providers: readonly Provider[], name: string, model: string | null): Target {
  const provider = providers.find((known) => known.name === name)
  if (provider === undefined) throw unknown(`There is no enabled provider ${name}.`)
  if (model === null) return { provider, model: onlyModel(provider) }
  const bare = model.startsWith(`${name}/`) && !knows(provider, model) ? model.slice(name.length + 1) : model
  const real = aliasedModel(provider, bare) ?? bare
  if (!serves(provider, real)) throw unknown(`The provider ${name} has no model ${real}.`)
  return { provider, model: real }
}

/** The first model of a provider that is named without one. */
function onlyModel(provider: Provider): string {
  const model =
    provider.knownModels.find((name) => serves(provider, name)) ?? provider.models.find((name) => !name.includes('*'))
  if (model === undefined) throw unknown(`Name a model of the provider ${provider.name}.`)
  return model
}

/** `provider/model`, where the first part names a provider. Model names may hold slashes themselves. */
function splitPrefix(providers: readonly Provider[], model: string): Target | null {
  const cut = model.indexOf('/')
  const provider = cut > 0 ? providers.find(({ name }) => name === model.slice(0, cut)) : undefined
  return provider === undefined ? null : namedTarget(providers, provider.name, model.slice(cut + 1))
}

/** The model of the provider that the tenant gave this other name. */
export function aliasedModel({ ownModels }: Provider, alias: string): string | null {
  for (const [model, { aliases }] of ownModels ?? []) if (aliases.includes(alias)) return model
  return null
}

function isDisabled({ ownModels }: Provider, model: string): boolean {
  return ownModels?.get(model)?.enabled === false
}

/** May be asked for the model by name. */
export function serves(provider: Provider, model: string): boolean {
  return !isDisabled(provider, model) && mayHave(provider, model)
}

/** Whether the model is among those of the provider, whether or not it may be asked for now. */
export function mayHave(provider: Provider, model: string): boolean {
  if (isOffline(provider)) return provider.knownModels.includes(model)
  return provider.models.length === 0 || matchesAny(provider.models, model)
}

/** Is known to have the model: by its own list of patterns, or found at the provider. */
function knows(provider: Provider, model: string): boolean {
  if (isDisabled(provider, model)) return false
  if (provider.models.length === 0 || isOffline(provider)) return provider.knownModels.includes(model)
  return matchesAny(provider.models, model)
}
