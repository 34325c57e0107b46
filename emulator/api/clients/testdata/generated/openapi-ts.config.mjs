// Generates clients of both contracts with hey-api: hey/v1 and hey/control. The environment has the paths of the contracts.
const client = (input, path) => ({ input, output: { path, clean: true }, plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'], logs: { file: false } });

export default [client(process.env.V1, 'hey/v1'), client(process.env.CONTROL, 'hey/control')];
