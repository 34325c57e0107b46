/** Returns the path of the program soundstage for this machine. It unpacks it at the first call after an installation. */
export function findProgram(): Promise<string>;
/** The platforms that have a package with the program, as `process.platform` and `process.arch` name them. */
export const platforms: readonly string[];
