// Generates fetch clients of both contracts: orval/v1.ts and orval/control.ts. The environment has the paths of the contracts.
const client = (input, name) => ({ input, output: { target: `orval/${name}.ts`, client: 'fetch', mode: 'single' } });

export default { v1: client(process.env.V1, 'v1'), control: client(process.env.CONTROL, 'control') };
