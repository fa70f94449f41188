/** @type {import("@sveltejs/vite-plugin-svelte").SvelteConfig} */
export default {
  compilerOptions: {
    runes: true,
    // The hash of a scoped class must not depend on where the repository lies.
    cssHash: ({ hash, css }) => `s-${hash(css)}`,
  },
};
