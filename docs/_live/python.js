// Python in the page, for what runs there: cells, exercises, tables. It is loaded when it is first asked for, and not before.
window.python = (() => {
    const live = window.live, place = new URL(".", document.currentScript.src), got = {};
    live.take = (name, packed) => { got[name] = packed; };

    let worker, ready, waiting = {}, turn = 0, given = new Set();
    const listeners = { status() {}, give() {} };

    const script = name => new Promise((loaded, refused) => document.head.append(elements.make("script", {
        src: new URL(`${name}.js`, place).href, onload: loaded, onerror: () => refused(new Error(`${name}.js cannot be loaded`)) })));

    // the files that the worker has not got yet
    async function files(names) {
        await Promise.all(names.filter(name => !(name in got)).map(script));
        const fresh = names.filter(name => !given.has(name));
        for (const name of fresh) given.add(name);
        return Object.fromEntries(fresh.map(name => [name, got[name]]));
    }

    async function unpacked(name) {
        const bytes = Uint8Array.from(atob(got[name]), c => c.charCodeAt(0));
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    }

    function ask(what, message) {
        const id = ++turn;
        worker.postMessage({ what, id, ...message });
        return new Promise((resolve, reject) => { waiting[id] = { resolve, reject }; });
    }

    function hear({ data: { kind, id, text, value } }) {
        if (kind === "status") listeners.status(text);
        else if (kind === "done") { waiting[id].resolve(value); delete waiting[id]; }
        else if (kind === "failed") { waiting[id].reject(new Error(text)); delete waiting[id]; }
        else listeners.give(id, kind, text);
    }

    async function begin() {
        listeners.status("Loading Python, 10 MB, once …");
        const all = await files(live.files);
        worker = new Worker(URL.createObjectURL(new Blob([await unpacked("worker.js")], { type: "text/javascript" })));
        worker.onmessage = hear;
        worker.onerror = event => stop(event.message);
        api.version = await ask("start", { files: all, modules: live.modules });
        api.running = true;
    }

    // `say` is told what is done meanwhile
    function start(say) {
        if (say) listeners.status = say;
        return ready ||= begin().catch(error => { stop(); throw error; });
    }

    // what runs ends here; so do all variables
    function stop(why = "Stopped.") {
        if (worker) worker.terminate();
        for (const { reject } of Object.values(waiting)) reject(Object.assign(new Error(why), { stopped: why === "Stopped." }));
        worker = ready = undefined;
        api.running = false;
        waiting = {}; given = new Set(); api.loaded = new Set();
    }

    // Load packages that are not there yet; true when there were any.
    async function load(packages, say) {
        await start(say);
        const fresh = packages.filter(name => !api.loaded.has(name));
        if (!fresh.length) return false;
        const sizes = Object.assign({}, ...fresh.map(name => live.packages[name].files));
        const needed = Object.keys(sizes).filter(name => !given.has(name));
        const megabytes = needed.reduce((sum, name) => sum + sizes[name], 0) / 1e6;
        listeners.status(`Loading ${fresh.join(", ")}, ${Math.ceil(megabytes)} MB, once …`);
        await ask("load", { files: await files(needed), packages: fresh.map(name => live.packages[name].name) });
        for (const name of fresh) api.loaded.add(name);
        return true;
    }

    async function run(message) { await start(); return ask("run", message); }
    async function call(module, name, ...given) { await start(); return ask("call", { module, name, given }); }

    const api = { start, stop, load, run, call, listeners, loaded: new Set(), running: false, version: "" };
    return api;
})();
