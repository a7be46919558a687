// Python in a worker of its own, so that a loop can be stopped. Nothing is fetched: the page hands over the files.
const files = {};
const tell = (kind, text, id) => postMessage({ kind, text, id });

// base64 of gzip: a stream of bytes
function stream(name) {
    const text = atob(files[name]), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}
const bytes = async name => new Uint8Array(await new Response(stream(name)).arrayBuffer());
const text = name => new Response(stream(name)).text();

// Pyodide asks for its files by fetch, which a page read from a file may not use: it gets them from memory.
const HERE = "https://nowhere.invalid/";
self.fetch = async url => {
    const name = String(url.url || url).split("/").pop();
    if (!(name in files)) throw new TypeError(`${name} is not here, and nothing is fetched`);
    return new Response(stream(name), { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" } });
};

async function load(name) {
    const url = URL.createObjectURL(new Blob([await text(name)], { type: "text/javascript" }));
    importScripts(url);
    URL.revokeObjectURL(url);
}

let py, cells, now;
const handlers = {
    async start({ modules }) {
        tell("status", "Starting Python …");
        await load("pyodide.asm.js");        // before pyodide.js, which would look for it
        await load("pyodide.js");
        py = await loadPyodide({ indexURL: HERE, packages: ["numpy"], env: { HOME: "/book", MPLBACKEND: "svg", MATPLOTLIBRC: "/book/matplotlibrc" } });
        tell("status", "Loading numpy and dtree_lit …");
        const place = py.runPython("import site; site.getsitepackages()[0]");
        py.unpackArchive(await bytes("library.zip"), "zip", { extractDir: place });
        for (const name of modules) py.FS.writeFile(`${place}/${name}`, await bytes(name));
        // pages read their tables as ../data/name
        for (const folder of ["data", "page"]) py.FS.mkdirTree(`/book/${folder}`);
        py.FS.chdir("/book/page");
        for (const name of Object.keys(files).filter(name => name.startsWith("data/"))) py.FS.writeFile(`/book/${name}`, await bytes(name));
        cells = py.pyimport("cells").Cells((kind, said) => tell(kind, said, now), py.globals);
        return py.runPython("import sys, numpy; f'Python {sys.version.split()[0]}, numpy {numpy.__version__}'");
    },
    async load({ packages }) {
        await py.loadPackage(packages, { messageCallback() {}, errorCallback(said) { throw new Error(said); } });
        if (packages.includes("matplotlib")) {
            py.FS.writeFile("/book/matplotlibrc", await bytes("matplotlibrc"));
            cells.draw(await text("ipython_kernel_config.py"));
        }
    },
    // a cell: true when nothing went wrong, or what an import says that fails
    run({ cell, source, lenient, alt }) {
        now = cell;
        return cells.run(source, lenient, alt);
    },
    // a function of a module, whose arguments and result are such as JSON can say
    call({ module, name, given }) {
        return JSON.parse(py.pyimport("cells").call(module, name, JSON.stringify(given)));
    },
};

// one after the other: what is asked while a package loads waits for it
let last = Promise.resolve();
onmessage = ({ data }) => {
    last = last.then(async () => {
        Object.assign(files, data.files);
        try { postMessage({ kind: "done", id: data.id, value: await handlers[data.what](data) }); }
        catch (error) { tell("failed", String(error.message || error).trim().split("\n").pop(), data.id); }
    });
};
