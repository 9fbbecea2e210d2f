/** The door of the configuration. */
export { type Changed, setConfigValue } from "./change.ts";
export {
  type Credential,
  credentialFile,
  dropCredential,
  readCredential,
  storeCredential,
} from "./credentials.ts";
export { grantFile, projectGrantFile } from "./grant-file.ts";
export { type GrantPlace, type GrantScope, persistPermissionGrant, trustProject } from "./grants.ts";
export {
  type DiscoverOptions,
  discoverInstructions,
  type InstructionFile,
  type Instructions,
} from "./instructions.ts";
export { findKey, KNOWN_KEYS } from "./key-path.ts";
export { type LoadOptions, loadConfig, PROJECT_CONFIG, userConfigFile } from "./load.ts";
export { BUILT_IN } from "./merge.ts";
export { ownPrices } from "./own-prices.ts";
export {
  type ChosenSettings,
  type ConfigLayer,
  type ConfigOrigin,
  type ConfigPrice,
  type ConfigProblem,
  type ConfigSource,
  type Effort,
  type KhaelorConfig,
  type Limits,
  problemLines,
  problemText,
  type ResolvedConfig,
  type SourcedRule,
} from "./types.ts";
export { strangeKey } from "./words.ts";
