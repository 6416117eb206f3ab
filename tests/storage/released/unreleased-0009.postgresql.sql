
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    prefix character varying(16) NOT NULL,
    label character varying(255) NOT NULL,
    test boolean NOT NULL,
    scopes text NOT NULL,
    origins text NOT NULL,
    rate_limit integer NOT NULL,
    active boolean NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    visitor_limit integer,
    demo boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.api_keys_id_seq OWNED BY public.api_keys.id;
CREATE TABLE public.bundles (
    shop_id bigint NOT NULL,
    id bigint NOT NULL,
    published boolean NOT NULL,
    product_id bigint,
    document text NOT NULL
);
CREATE TABLE public.catalogue_ghost_prices (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    country_code character varying(2) NOT NULL,
    price character varying(32) NOT NULL
);
CREATE TABLE public.catalogue_ghosts (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    product_id bigint NOT NULL,
    option_value character varying(64) NOT NULL,
    price character varying(32) NOT NULL,
    retired boolean NOT NULL
);
CREATE TABLE public.configured_bundles (
    number bigint NOT NULL,
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    bundle_id bigint NOT NULL,
    bundle_type character varying(32) NOT NULL,
    title text NOT NULL,
    product_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    country character varying(2),
    test boolean NOT NULL,
    unique_id character varying(32) NOT NULL,
    original character varying(32) NOT NULL,
    discounted character varying(32) NOT NULL,
    discount_type character varying(32) NOT NULL,
    discount_value character varying(32) NOT NULL,
    currency character varying(3) NOT NULL,
    items text NOT NULL,
    visitor_id character varying(36),
    experiment_id character varying(255),
    arm integer,
    configured_at bigint NOT NULL
);
CREATE SEQUENCE public.configured_bundles_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.configured_bundles_number_seq OWNED BY public.configured_bundles.number;
CREATE TABLE public.experiments (
    shop_id bigint NOT NULL,
    id character varying(255) NOT NULL,
    bundle_id bigint NOT NULL,
    document text NOT NULL
);
CREATE TABLE public.ghost_promises (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    price_list character varying(255) NOT NULL,
    country_code character varying(2) NOT NULL,
    promise character varying(32) NOT NULL,
    price character varying(32),
    priced_at bigint
);
CREATE TABLE public.ghost_subjects (
    shop_id bigint NOT NULL,
    kind character varying(32) NOT NULL,
    subject_id bigint NOT NULL,
    ghost_id bigint NOT NULL
);
CREATE TABLE public.ghost_variants (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    identity character varying(64) NOT NULL,
    product_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    last_used_at bigint NOT NULL,
    retired_at bigint,
    confirmed_at bigint DEFAULT '0'::bigint NOT NULL,
    marked boolean DEFAULT false NOT NULL,
    checked_at bigint DEFAULT '0'::bigint NOT NULL,
    check_at bigint DEFAULT '0'::bigint,
    claim character varying(32),
    broken_at bigint,
    bought_at bigint,
    gone_at bigint
);
CREATE SEQUENCE public.ghost_variants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ghost_variants_id_seq OWNED BY public.ghost_variants.id;
CREATE TABLE public.idempotency_keys (
    shop_id bigint NOT NULL,
    test boolean NOT NULL,
    method character varying(8) NOT NULL,
    path character varying(255) NOT NULL,
    key character varying(255) NOT NULL,
    body_digest character varying(64) NOT NULL,
    answer bytea NOT NULL,
    configured_bundle_id bigint NOT NULL,
    created_at bigint NOT NULL,
    encoding character varying(16) DEFAULT 'identity'::character varying NOT NULL
);
CREATE TABLE public.markets (
    shop_id bigint NOT NULL,
    country_code character varying(2) NOT NULL,
    document text NOT NULL
);
CREATE TABLE public.own_updates (
    shop_id bigint NOT NULL,
    product_id bigint NOT NULL,
    updated_at bigint NOT NULL,
    recorded_at bigint NOT NULL
);
CREATE TABLE public.platform_changes (
    number bigint NOT NULL,
    shop_id bigint NOT NULL,
    kind character varying(32) NOT NULL,
    subject_id bigint,
    recorded_at bigint NOT NULL
);
CREATE SEQUENCE public.platform_changes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.platform_changes_number_seq OWNED BY public.platform_changes.number;
CREATE TABLE public.platform_connections (
    shop_id bigint NOT NULL,
    sealed text NOT NULL,
    connected_at bigint NOT NULL
);
CREATE TABLE public.products (
    shop_id bigint NOT NULL,
    id bigint NOT NULL,
    handle character varying(255) NOT NULL,
    document text NOT NULL
);
CREATE TABLE public.shops (
    id bigint NOT NULL,
    handle character varying(255) NOT NULL,
    headless_enabled boolean NOT NULL,
    revision bigint NOT NULL,
    document text NOT NULL
);
CREATE SEQUENCE public.shops_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.shops_id_seq OWNED BY public.shops.id;
CREATE TABLE public.stock_reminders (
    shop_id bigint NOT NULL,
    variant_id bigint NOT NULL,
    email character varying(254) NOT NULL,
    bundle_name text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.subscriptions (
    id bigint NOT NULL,
    shop_id bigint NOT NULL,
    configured_bundle_id bigint NOT NULL,
    group_id bigint NOT NULL,
    frequency bigint NOT NULL,
    unit character varying(8) NOT NULL,
    email character varying(254) NOT NULL,
    status character varying(16) NOT NULL,
    next_date character varying(10),
    created_at bigint NOT NULL
);
CREATE SEQUENCE public.subscriptions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.subscriptions_id_seq OWNED BY public.subscriptions.id;
CREATE TABLE public.variants (
    shop_id bigint NOT NULL,
    id bigint NOT NULL,
    product_id bigint NOT NULL
);
CREATE TABLE public.webhook_deliveries (
    shop_id bigint NOT NULL,
    delivery character varying(255) NOT NULL,
    received_at bigint NOT NULL,
    signature character varying(64),
    subject character varying(255)
);
ALTER TABLE ONLY public.api_keys ALTER COLUMN id SET DEFAULT nextval('public.api_keys_id_seq'::regclass);
ALTER TABLE ONLY public.configured_bundles ALTER COLUMN number SET DEFAULT nextval('public.configured_bundles_number_seq'::regclass);
ALTER TABLE ONLY public.ghost_variants ALTER COLUMN id SET DEFAULT nextval('public.ghost_variants_id_seq'::regclass);
ALTER TABLE ONLY public.platform_changes ALTER COLUMN number SET DEFAULT nextval('public.platform_changes_number_seq'::regclass);
ALTER TABLE ONLY public.shops ALTER COLUMN id SET DEFAULT nextval('public.shops_id_seq'::regclass);
ALTER TABLE ONLY public.subscriptions ALTER COLUMN id SET DEFAULT nextval('public.subscriptions_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0009');
INSERT INTO public.api_keys VALUES (1, 1, '37d5e8c2f2aff260b9c6e64a847160c883b238cda7a18c49e1dc87733db18dac', 'bnd_live_L9oEd1h', 'test', false, '["headless","embed"]', '[]', 1000000, true, 1795355019, 1795355024, NULL, false);
INSERT INTO public.bundles VALUES (1, 42, true, 900, '{"id":42,"name":"Box","description":"","image_url":"","type":"native","bundling_option":"bundles","published":true,"layout":"multiple-sections","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":{"type":"percentage","value":"10.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Shirts","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":7,"product_id":111,"variant_ids":[]}]},{"id":2,"name":"Mugs","description":"","image_url":"","order":1,"auto_next_section":false,"products":[{"bundle_item_id":8,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"optional","groups":[{"id":7,"name":"Monthly","options":[{"frequency":1,"unit":"month","discount":null},{"frequency":2,"unit":"week","discount":"5.00"}]}]},"translations":{}}');
INSERT INTO public.bundles VALUES (1, 43, true, 901, '{"id":43,"name":"Pair","description":"","image_url":"","type":"multiple-products","bundling_option":"bundles","published":true,"layout":"single-page","product_id":901,"parent_variant_id":9011,"template_code":"default","discount":{"type":"fixed","value":"5.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Both","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":111,"variant_ids":[]},{"bundle_item_id":2,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}');
INSERT INTO public.bundles VALUES (1, 44, false, 900, '{"id":44,"name":"Later","description":"","image_url":"","type":"native","bundling_option":"bundles","published":false,"layout":"single-page","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":null,"sections":[{"id":1,"name":"Mugs","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}');
INSERT INTO public.catalogue_ghost_prices VALUES (1, 8641102514623954, 'JP', '3230.00');
INSERT INTO public.catalogue_ghosts VALUES (1, 8641102514623954, 901, '9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a', '22.99', false);
INSERT INTO public.configured_bundles VALUES (1, 5603616753406229, 1, 42, 'native', 'Box', 900, 9001, NULL, false, 'c205a00e499c1f8c0569670167fd82f3', '27.99', '25.19', 'percentage', '10.00', 'EUR', '[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":2,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"8.00","properties":{},"fee_variant_ids":[],"answer_keys":[]}]', NULL, NULL, NULL, 1795355024);
INSERT INTO public.configured_bundles VALUES (2, 4164875583834716, 1, 43, 'multiple-products', 'Pair', 901, 8641102514623954, 'JP', false, '00a309d2e36753eb751a97f8ab5ae03e', '25.19', '20.19', 'fixed', '5.00', 'EUR', '[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"17.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":1,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"7.20","properties":{},"fee_variant_ids":[],"answer_keys":[]}]', NULL, NULL, NULL, 1795355024);
INSERT INTO public.experiments VALUES (1, 'exp-1', 42, '{"id":"exp-1","bundle_id":42,"arms":[{"bundle_id":42,"weight":"50"},{"bundle_id":43,"weight":"50"}]}');
INSERT INTO public.ghost_promises VALUES (1, 8641102514623954, 'JP', 'JP', '20.19', '3230.00', 1795355024);
INSERT INTO public.ghost_subjects VALUES (1, 'bundle', 43, 1);
INSERT INTO public.ghost_subjects VALUES (1, 'product', 222, 1);
INSERT INTO public.ghost_subjects VALUES (1, 'product', 111, 1);
INSERT INTO public.ghost_variants VALUES (1, 1, '9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a', 901, 8641102514623954, 1795355024, NULL, 1795355024, false, 1795355024, 1795441424, NULL, NULL, NULL, NULL);
INSERT INTO public.idempotency_keys VALUES (1, false, 'POST', '/api/headless/v1/bundles/42/configure', 'order-1', 'fffef579f0cb3440ec0d1bfac591ef365d09d47bcafaea7aa312cc5090e5a9e8', '\x789ced55cbb2a24814fc177a7bed281ef2b83b51f45eb01514051d3b08e45908144201ca0dffbd0b7abac79e99e5c4acba56549eac732a2a32930fca437908a3ba0c7ce75ce77e1a38d0a75ec73c60799a17c62c077886915ea8c62da19be3a14a4900d0d40b5594c8afbdbf3002f9b0f2509d630244937ec9e5a45918c22eb715ee2e46d94e311c6bb4f68a34f1cd776b1a2c445711306053594dca63b796936d87d42899f391752c77dbc33291552bbd4e6b71a9a31d94b849ba57735313daf5195987a6992c1c76ce544287ddf1968d350bd0dc4a5c54acbdcb2b25f5f0c5d2dee4f968391bbd6d47335dc4b30cde9be456d9d3632cd46eb36f47fcfbb154ae06b7519ba59648bcd579f915b66f1b1ea431b426a68dcd7d80f48598d530dad3dc34a7810fd0a56932ce6b57fc7e7608e52b53d1acaabcc9ced562f5dba46edcb900e78dec39595e9437f148c74b646b95a01dee02d202d59f45fafa38d3da5ba7c8666bd83cad9d35639f15b3d16a514452c25c6eccf1d08cbfe89d0c225ec9a6067f49afebee307bf785f718cd355a1393a3dca5f34db2b1a5b5e7b41be481959d32b5c5c08cbcd99e2ef82f4a98033d7ecb778699ce834d9baed84630cc300c97d70cedb4bbc908dcd4bd8c53152dcaf5d40a3274362ed858dbb7adb1b2037c331953b8c80563dfa3767b9df1284e611017db18b4b81324bdc8c6faf27c04a12a73961cb7aa73bd65b4dbc1a514299d59d768c17a55a28a8183dc6c54a3ade43897ebd19a936129b4bb1557b1580af455a8af0d3ee68bf94c316da2acaa3e575e090b0c513e288eee05083d9847d4eb07854a18c1dc4d750205447d8cf059929e0419f83f2be3cff473c5bc173d5c04a517e4d88d82a7dade4debbe4883cf83bcbdba2c83dcbb1348d96da80741dc12f7f3539813ebe020aba8d73f3ea8e18200302fd4b526b681f8fee7851199836150f5677e38ce77b14b3afedd749f7a9b7df218307601083849f2e850f4c098977801105ee88b4cc8528fc7cbf7790ca1ff2ff3bebe502ec6253cd7f897c6e49bfa38fda3ef89504e4f41230fe477fff42f3973faf9f4a47afa9d21bf33e43fcb901345d4459c910683b464741b90c1b3a7deb4a71f3fb9419a837b7bd97ed7224d5cf62b61b0db33e16bdf2d230132f41f9ae7083fed607f8c631e0fe2a1c737a31e700a', 5603616753406229, 1795355024, 'deflate');
INSERT INTO public.idempotency_keys VALUES (1, false, 'POST', '/api/headless/v1/bundles/43/configure', 'order-2', '352b4102265c21a0c13599fa64cab94925194eae482def9e3504f1a78a35fd6a', '\x789c6d92d98ea2401440ff85e7b6532c05d8c93c20a2a068a3b2c98b6129b0642f16c14efffb60cf64d293997aab73927bab92f341856511e3a42328ba045d1165e88223ea8da3794e1420145991e5049a7fa17a9f60bf68bf2c25f21c4d0306d21ccfb073c8512f5445caa80b7ffb39a02714e1262cbba29d40223dcf8248fdfae05982b8b55cfe941b0f7452473b6a30b9c7bca75842b2df305dcce6dce3e8ec91a98074c898ab392aabda7f1732d5dd5d57ebb6d1eae21efa7e47bbdb3cd833c66a7d32f572ccbc3895d2d60c58a01bd0b264b2d184fdb6f0cbe636bbb4b987bcc6364f4140aa1b59ab9ac4d5cc2a95bdc4731438dbcd0ff198f2e75d69df8c7900fdf441748ed6cc720142f7a88265516f884c9cfe9eefca72cdee8754e8600363b98c2d01aa475b0fb8e9be10fa05ec027ae6a33ba6836a283d57bb2a49b7beb7bad64a65dbb6a39595b3ca89d5c4ac0d7de93e3c4d61b0ae2c7b062ac6a542b20f77a936c6c038cde573bb72c6e1c277ef2e6d8043bed111eb5c10ffd06edb59b6bd56511a8c478bd072dd0c92b2f7162bc1b1b92e3171a45ef333706a8d7dd883879cc54d0e5c44864c3143919fc540b777575f362ab990dedb192cbc456d99237037a2206fcfc7ba8f9c7c699e307be897cbe1245d7dad8ab7d5fe903cd83b10c351ef0522183b57bdf9ee06d8c370d499b9b8763360fd982a68baa00909ae5a5c165f75145d963d7bc1212e12eaed832a094e70e167c684d0140b035fe9f9b77e50f4c780bf8d39564f1ce30145dfb0ed67dd93c35700261c7684a0221c27a25847eaf3b91c35a86873f48cf3df077080a5ffbb9f65bec4b7811be3fc1c18faa4fdf5b3cf9f8f55189f', 4164875583834716, 1795355024, 'deflate');
INSERT INTO public.markets VALUES (1, 'JP', '{"country_code":"JP","currency":"JPY","exchange_rate":"160","price_adjustment":"-10","prices":{},"unavailable_variant_ids":[]}');
INSERT INTO public.markets VALUES (1, 'US', '{"country_code":"US","currency":"USD","exchange_rate":"1.10","price_adjustment":"5","prices":{"1002":"21.00"},"unavailable_variant_ids":[2001]}');
INSERT INTO public.own_updates VALUES (1, 111, 1, 1);
INSERT INTO public.platform_changes VALUES (1, 1, 'product', 111, 1);
INSERT INTO public.platform_connections VALUES (1, 'sealed', 1);
INSERT INTO public.products VALUES (1, 111, 'shirt', '{"id":111,"title":"Shirt","handle":"shirt","image_url":"","status":"ACTIVE","tags":["linen","bundlesvc:seasonal"],"description_html":"<p>Linen</p>","options":[{"name":"Size","values":["S","M"],"swatches":{"S":{"color":"#C02020","image_url":""}}}],"variants":[{"id":1001,"title":"S","price":"19.99","compare_at_price":null,"sku":"SH-S","inventory_tracked":true,"inventory_policy":"deny","inventory_quantity":5,"grams":200,"option_values":["S"],"image":null,"inventory_item_id":null,"product_id":0},{"id":1002,"title":"M","price":"19.99","compare_at_price":"25.00","sku":"SH-M","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":210,"option_values":["M"],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{"de":{"title":"Hemd","description_html":"","options":{}}}}');
INSERT INTO public.products VALUES (1, 222, 'mug', '{"id":222,"title":"Mug","handle":"mug","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":2001,"title":"Default Title","price":"8.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":300,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}');
INSERT INTO public.products VALUES (1, 900, 'gift-box', '{"id":900,"title":"Gift Box","handle":"gift-box","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9001,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}');
INSERT INTO public.products VALUES (1, 901, 'pair', '{"id":901,"title":"Pair","handle":"pair","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9011,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}');
INSERT INTO public.shops VALUES (1, 'demo', true, 2, '{"handle":"demo","name":"Demo Shop","domain":"demo.example","locale":"en","headless_enabled":true,"active_features":["conditions","subscriptions"],"platform":{"kind":"embedded","domain":null},"templates":["default","compact"],"settings":{"currency":"EUR","money_format":"€{{amount}}","weight_unit":"kg"}}');
INSERT INTO public.stock_reminders VALUES (1, 2001, 'mira@mail.example', 'Box', 1);
INSERT INTO public.subscriptions VALUES (1, 1, 5603616753406229, 7, 1, 'month', 'mira@mail.example', 'pending', '2026-12-22', 1795355024);
INSERT INTO public.variants VALUES (1, 1001, 111);
INSERT INTO public.variants VALUES (1, 1002, 111);
INSERT INTO public.variants VALUES (1, 2001, 222);
INSERT INTO public.variants VALUES (1, 9001, 900);
INSERT INTO public.variants VALUES (1, 9011, 901);
INSERT INTO public.webhook_deliveries VALUES (1, '1', 1, '0000000000000000000000000000000000000000000000000000000000000000', 'products/update');
SELECT pg_catalog.setval('public.api_keys_id_seq', 1, true);
SELECT pg_catalog.setval('public.configured_bundles_number_seq', 2, true);
SELECT pg_catalog.setval('public.ghost_variants_id_seq', 1, true);
SELECT pg_catalog.setval('public.platform_changes_number_seq', 1, true);
SELECT pg_catalog.setval('public.shops_id_seq', 1, true);
SELECT pg_catalog.setval('public.subscriptions_id_seq', 1, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT pk_api_keys PRIMARY KEY (id);
ALTER TABLE ONLY public.bundles
    ADD CONSTRAINT pk_bundles PRIMARY KEY (shop_id, id);
ALTER TABLE ONLY public.catalogue_ghost_prices
    ADD CONSTRAINT pk_catalogue_ghost_prices PRIMARY KEY (shop_id, variant_id, country_code);
ALTER TABLE ONLY public.catalogue_ghosts
    ADD CONSTRAINT pk_catalogue_ghosts PRIMARY KEY (shop_id, variant_id);
ALTER TABLE ONLY public.configured_bundles
    ADD CONSTRAINT pk_configured_bundles PRIMARY KEY (number);
ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT pk_experiments PRIMARY KEY (shop_id, id);
ALTER TABLE ONLY public.ghost_promises
    ADD CONSTRAINT pk_ghost_promises PRIMARY KEY (shop_id, variant_id, price_list);
ALTER TABLE ONLY public.ghost_subjects
    ADD CONSTRAINT pk_ghost_subjects PRIMARY KEY (shop_id, kind, subject_id, ghost_id);
ALTER TABLE ONLY public.ghost_variants
    ADD CONSTRAINT pk_ghost_variants PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (shop_id, test, method, path, key);
ALTER TABLE ONLY public.markets
    ADD CONSTRAINT pk_markets PRIMARY KEY (shop_id, country_code);
ALTER TABLE ONLY public.own_updates
    ADD CONSTRAINT pk_own_updates PRIMARY KEY (shop_id, product_id, updated_at);
ALTER TABLE ONLY public.platform_changes
    ADD CONSTRAINT pk_platform_changes PRIMARY KEY (number);
ALTER TABLE ONLY public.platform_connections
    ADD CONSTRAINT pk_platform_connections PRIMARY KEY (shop_id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT pk_products PRIMARY KEY (shop_id, id);
ALTER TABLE ONLY public.shops
    ADD CONSTRAINT pk_shops PRIMARY KEY (id);
ALTER TABLE ONLY public.stock_reminders
    ADD CONSTRAINT pk_stock_reminders PRIMARY KEY (shop_id, variant_id, email);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT pk_subscriptions PRIMARY KEY (id);
ALTER TABLE ONLY public.variants
    ADD CONSTRAINT pk_variants PRIMARY KEY (shop_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT pk_webhook_deliveries PRIMARY KEY (shop_id, delivery);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_digest UNIQUE (digest);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_prefix UNIQUE (prefix);
ALTER TABLE ONLY public.configured_bundles
    ADD CONSTRAINT uq_configured_bundles_id UNIQUE (id);
ALTER TABLE ONLY public.shops
    ADD CONSTRAINT uq_shops_handle UNIQUE (handle);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT uq_subscriptions_configured_bundle_id UNIQUE (configured_bundle_id);
CREATE INDEX ix_api_keys_shop_id ON public.api_keys USING btree (shop_id);
CREATE INDEX ix_bundles_shop_id_product_id ON public.bundles USING btree (shop_id, product_id);
CREATE INDEX ix_configured_bundles_configured_at ON public.configured_bundles USING btree (configured_at);
CREATE INDEX ix_configured_bundles_shop_id_variant_id_number ON public.configured_bundles USING btree (shop_id, variant_id, number);
CREATE INDEX ix_ghost_subjects_ghost_id ON public.ghost_subjects USING btree (ghost_id);
CREATE INDEX ix_ghost_variants_check_at ON public.ghost_variants USING btree (check_at);
CREATE INDEX ix_ghost_variants_shop_id_product_id_last_used_at ON public.ghost_variants USING btree (shop_id, product_id, last_used_at);
CREATE INDEX ix_ghost_variants_shop_id_variant_id ON public.ghost_variants USING btree (shop_id, variant_id);
CREATE INDEX ix_idempotency_keys_configured_bundle_id ON public.idempotency_keys USING btree (configured_bundle_id);
CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);
CREATE INDEX ix_own_updates_recorded_at ON public.own_updates USING btree (recorded_at);
CREATE INDEX ix_platform_changes_recorded_at ON public.platform_changes USING btree (recorded_at);
CREATE INDEX ix_platform_changes_shop_id ON public.platform_changes USING btree (shop_id);
CREATE INDEX ix_products_shop_id_handle ON public.products USING btree (shop_id, handle);
CREATE INDEX ix_stock_reminders_email ON public.stock_reminders USING btree (email);
CREATE INDEX ix_subscriptions_shop_id_status ON public.subscriptions USING btree (shop_id, status);
CREATE INDEX ix_webhook_deliveries_received_at ON public.webhook_deliveries USING btree (received_at);
CREATE UNIQUE INDEX uq_catalogue_ghosts_option_value ON public.catalogue_ghosts USING btree (shop_id, product_id, option_value) WHERE (NOT retired);
CREATE UNIQUE INDEX uq_ghost_variants_in_use ON public.ghost_variants USING btree (shop_id, identity) WHERE (retired_at IS NULL);
CREATE UNIQUE INDEX uq_webhook_deliveries_signature ON public.webhook_deliveries USING btree (shop_id, signature);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.bundles
    ADD CONSTRAINT fk_bundles_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.catalogue_ghost_prices
    ADD CONSTRAINT fk_catalogue_ghost_prices_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.catalogue_ghosts
    ADD CONSTRAINT fk_catalogue_ghosts_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.configured_bundles
    ADD CONSTRAINT fk_configured_bundles_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT fk_experiments_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.ghost_promises
    ADD CONSTRAINT fk_ghost_promises_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.ghost_subjects
    ADD CONSTRAINT fk_ghost_subjects_ghost_id FOREIGN KEY (ghost_id) REFERENCES public.ghost_variants(id);
ALTER TABLE ONLY public.ghost_subjects
    ADD CONSTRAINT fk_ghost_subjects_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.ghost_variants
    ADD CONSTRAINT fk_ghost_variants_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT fk_idempotency_keys_configured_bundle_id FOREIGN KEY (configured_bundle_id) REFERENCES public.configured_bundles(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT fk_idempotency_keys_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.markets
    ADD CONSTRAINT fk_markets_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.own_updates
    ADD CONSTRAINT fk_own_updates_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.platform_changes
    ADD CONSTRAINT fk_platform_changes_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.platform_connections
    ADD CONSTRAINT fk_platform_connections_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT fk_products_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.stock_reminders
    ADD CONSTRAINT fk_stock_reminders_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT fk_subscriptions_configured_bundle_id FOREIGN KEY (configured_bundle_id) REFERENCES public.configured_bundles(id);
ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT fk_subscriptions_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.variants
    ADD CONSTRAINT fk_variants_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT fk_webhook_deliveries_shop_id FOREIGN KEY (shop_id) REFERENCES public.shops(id);
