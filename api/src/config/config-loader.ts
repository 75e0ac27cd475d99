/**
 * Each part of the service has a loader, which is a list of groups. A group names the variables that it
 * reads, and the compiler rejects any other. So a part's variables are exactly those of its groups, and
 * the supervisor passes no others to it.
 */
import { ConfigError, EXIT_CONFIG } from './config-error.ts'
import { type Environment, processEnvironment, Variables } from './variables.ts'

/** Variables that are read together, and the resulting settings. */
export interface ConfigGroup<Name extends string, Settings extends object> {
  readonly variables: readonly Name[]
  /** @throws ConfigError at the first invalid variable */
  readonly read: (variables: Variables<Name>) => Settings
}

type AnyGroup = ConfigGroup<string, object>

/** The settings of all groups. It accumulates them, because otherwise the compiler recurses too deep for some fifty groups. */
type SettingsOf<Groups extends readonly AnyGroup[], Before = unknown> = Groups extends readonly [
  ConfigGroup<string, infer Settings>,
  ...infer Rest extends readonly AnyGroup[],
]
  ? SettingsOf<Rest, Before & Settings>
  : Before

/** Loads the configuration of one part. */
export interface ConfigLoader<Groups extends readonly AnyGroup[]> {
  readonly groups: Groups
  /** The variables that the part reads, and no others. */
  readonly variables: readonly string[]
  /**
   * The part's configuration, frozen.
   *
   * @param environment default: the process's own, over `.env` in the project's root
   * @throws ConfigError at the first invalid variable
   */
  load(environment?: Environment): Readonly<SettingsOf<Groups>>
  /**
   * As `load`, for the entry of a process: prints the error of an invalid value and exits with code
   * 78.
   */
  loadOrExit(): Readonly<SettingsOf<Groups>>
}

/** The configuration that a loader returns. */
export type ConfigOf<Loader extends { load: () => object }> = ReturnType<Loader['load']>

/** A group that reads the variables called `variables`. */
export function configGroup<const Name extends string, Settings extends object>(
  variables: readonly Name[],
  read: (variables: Variables<Name>) => Settings,
): ConfigGroup<Name, Settings> {
  return { variables, read }
}

/**
 * The loader of a part. Groups are read in this order; a group that is named twice is read at its last place.
 */
export function loaderOf<const Groups extends readonly AnyGroup[]>(
  ...groups: Groups
): ConfigLoader<Groups> {
  const once = [...new Set<AnyGroup>(groups.toReversed())].toReversed()
  const names = [...new Set(once.flatMap(({ variables }) => variables))]
  function load(environment: Environment = processEnvironment(names)) {
    const variables = new Variables<string>(environment)
    const settings = once.map(({ read }) => read(variables))
    return Object.freeze(Object.assign({}, ...settings)) as Readonly<SettingsOf<Groups>>
  }
  function loadOrExit() {
    try {
      return load()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      process.stderr.write(`${error.message}\n`)
      return process.exit(EXIT_CONFIG)
    }
  }
  return { groups, variables: names, load, loadOrExit }
}
