/** A client from the variables of the environment, which a page does not have. */

import { RequestError } from "../errors.js";
import { checkedAddress, Keypair } from "../signing/keys.js";
import type { ClientOptions } from "./config.js";

const PREFIX = "TRADING_";
const VARIABLES = ["BASE_URL", "PRIVATE_KEY", "KEY_FILE", "ADDRESS", "ACCOUNT", "API_KEY"].map(
  (name) => PREFIX + name,
);

/** The URL and the options of a client, from the variables that name them. No value is repeated: it may be a secret. */
export function fromEnvironment(environ: Readonly<Record<string, string | undefined>>): {
  readonly baseUrl: string;
  readonly options: ClientOptions;
} {
  for (const [name, value] of Object.entries(environ)) {
    if (!name.toUpperCase().startsWith(PREFIX)) continue;
    if (!VARIABLES.includes(name)) {
      throw new RequestError(`${name} has no effect: a client reads ${VARIABLES.join(", ")}`);
    }
    if (/^['"]/.test(value ?? "")) {
      throw new RequestError(
        `${name} has quotes around its value: write it without, as docker --env-file keeps them`,
      );
    }
  }
  const { TRADING_BASE_URL: baseUrl, TRADING_PRIVATE_KEY: text } = environ;
  const path = environ.TRADING_KEY_FILE;
  if (!baseUrl) {
    throw new RequestError("TRADING_BASE_URL is not set; give the URL of the service");
  }
  if (text && path) throw new RequestError("set TRADING_PRIVATE_KEY or TRADING_KEY_FILE, not both");
  const signer = text ? Keypair.fromBase58(text) : path ? Keypair.fromFile(path) : null;
  const address = environ.TRADING_ADDRESS || null;
  if (address !== null) checkedAddress("TRADING_ADDRESS", address);
  if (address !== null && signer?.address !== address) {
    throw new RequestError(
      signer === null
        ? "TRADING_ADDRESS is set without its key; set TRADING_ACCOUNT to read an account"
        : `the key is that of ${signer.address}, which is not TRADING_ADDRESS`,
    );
  }
  const account = environ.TRADING_ACCOUNT || null;
  return { baseUrl, options: { signer, account, apiKey: environ.TRADING_API_KEY || null } };
}
